// The control transfer records, alone.
rtl/profile/ctr_transfers.sv
rtl/profile/ctr.sv
