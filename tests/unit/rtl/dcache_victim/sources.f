// dcache_victim: whose turn it is at the port of a whole set, and which line leaves.
rtl/prim/wait_bound.sv
rtl/lsu/dcache_clean.sv
rtl/lsu/dcache_victim.sv
