// axi_lines against order of acceptance: every read has its line as the writes accepted before it left it, whatever the memory reorders.
rtl/prim/ring_ptr.sv
rtl/prim/lfsr.sv
rtl/soc/axi_write.sv
rtl/soc/axi_lines.sv
sim/axi_memory.sv
sim/axi_rules.sv
