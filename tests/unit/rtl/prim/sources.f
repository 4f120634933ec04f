// The searches of rtl/prim, at several sizes, against plain loops.
rtl/prim/age_matrix.sv
rtl/prim/find_first.sv
rtl/prim/find_last.sv
rtl/prim/first_in_ring.sv
rtl/prim/oldest_in_ring.sv
