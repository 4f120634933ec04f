// The one assertion macro. Clocked, quiet during reset, fatal in every simulation; synthesis sees nothing.
`ifndef TIPOFF_ASSERT_SVH
`define TIPOFF_ASSERT_SVH

`ifdef SYNTHESIS
`define ASSERT(NAME, EXPR)
`else
`define ASSERT(NAME, EXPR) \
  NAME: assert property (@(posedge clk_i) !rst_ni || (EXPR)) else $fatal(1, "%m: assertion failed");
`endif

`endif
