// dcache with all its parts, against lines in a table: hits, words, replacement, write-backs, fence.i.
rtl/prim/find_first.sv
rtl/prim/fifo.sv
rtl/prim/ring_ptr.sv
rtl/prim/mp_ram.sv
rtl/prim/wait_bound.sv
rtl/lsu/mshr_file.sv
rtl/lsu/writeback_buffer.sv
rtl/lsu/dcache_way.sv
rtl/lsu/dcache_victim.sv
rtl/lsu/line_mux.sv
rtl/lsu/dcache_clean.sv
rtl/lsu/dcache_hold.sv
rtl/lsu/dcache_snoop.sv
rtl/lsu/dcache.sv
