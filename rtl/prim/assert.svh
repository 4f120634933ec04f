// The one assertion macro. Clocked, quiet during reset, fatal in every simulation; synthesis sees nothing.
`ifndef TIPOFF_ASSERT_SVH
`define TIPOFF_ASSERT_SVH

`ifdef SYNTHESIS
`define ASSERT(NAME, EXPR)
`else
// Immediate, in a clocked block: it sees what the registers see. A property would do, too, but the simulator then keeps
// a copy of every signal that one names, whole arrays with them.
`define ASSERT(NAME, EXPR) \
  always @(posedge clk_i) if (rst_ni) NAME: assert (EXPR) else $fatal(1, "%m: assertion failed");
`endif

`endif
