// dcache_hold: when a line that has come is given free, by its use, by time, or for want of a place.
rtl/prim/find_first.sv
rtl/lsu/dcache_hold.sv
