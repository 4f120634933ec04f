// btb against a model: hits, the earlier of two transfers, targets, replacement, the walk after reset.
rtl/prim/sync_ram.sv
rtl/fetch/btb.sv
