// Asserts that a wait is bounded: what wants something has it, or no longer wants it, within Most cycles that count.
// Nothing is left of it in synthesis.
`include "assert.svh"

module wait_bound #(
  parameter int unsigned Most = 64
) (
  /* verilator lint_off UNUSEDSIGNAL */  // without assertions
  input logic clk_i,
  input logic rst_ni,
  input logic wants_i,
  input logic counts_i   // this cycle is none of those in which it cannot be served
  /* verilator lint_on UNUSEDSIGNAL */
);
`ifndef SYNTHESIS
  typedef logic [$clog2(Most+1)-1:0] count_t;
  count_t count_q;
  always_ff @(posedge clk_i)
    if (!rst_ni || !wants_i) count_q <= '0;
    else if (counts_i && count_q != count_t'(Most)) count_q <= count_q + count_t'(1);
  `ASSERT(Bounded, count_q != count_t'(Most))
`endif
endmodule
