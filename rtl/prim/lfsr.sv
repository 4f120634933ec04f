// Galois linear-feedback shift register of 32 bits, polynomial x^32 + x^22 + x^2 + x + 1 (period 2^32 - 1).
//
// Invariant: never zero; a seed of zero counts as one.
module lfsr (
  input  logic        clk_i,
  input  logic        rst_ni,
  input  logic        seed_valid_i,  // takes seed_i; wins over step_i
  input  logic [31:0] seed_i,
  input  logic        step_i,
  output logic [31:0] value_o
);
  localparam logic [31:0] Taps = 32'h8020_0003;
  logic [31:0] value_q;

  always_ff @(posedge clk_i) begin
    if (!rst_ni) value_q <= 32'd1;
    else if (seed_valid_i) value_q <= (seed_i == '0) ? 32'd1 : seed_i;
    else if (step_i) value_q <= {1'b0, value_q[31:1]} ^ (value_q[0] ? Taps : '0);
  end

  assign value_o = value_q;

  `include "assert.svh"
  `ASSERT(NeverZero, value_q != '0)
endmodule
