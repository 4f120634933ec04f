// The searches of rtl/prim, at several sizes, against plain loops.
rtl/prim/find_first.sv
rtl/prim/find_last.sv
rtl/prim/oldest_of.sv
rtl/prim/oldest_in_ring.sv
