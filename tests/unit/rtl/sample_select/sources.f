// The selection of what a cycle belongs to, alone.
rtl/profile/sample_select.sv
