// lsu_load_end against the order that its header gives.
rtl/lsu/lsu_load_end.sv
