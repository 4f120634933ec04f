// btb against a model: hits, the earlier of two transfers, targets, replacement, the walk after reset.
rtl/fetch/btb.sv
