// dcache_snoop: what snoops find and change, and what goes up, against the table of the protocol.
rtl/prim/fifo.sv
rtl/prim/ring_ptr.sv
rtl/prim/wait_bound.sv
rtl/lsu/dcache_snoop.sv
