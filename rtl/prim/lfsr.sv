// Galois linear-feedback shift register of 32 bits, polynomial x^32 + x^22 + x^2 + x + 1 (period 2^32 - 1).
//
// Invariant: never zero; a seed of zero counts as one.
module lfsr #(
  parameter int unsigned Ahead = 3
) (
  input  logic        clk_i,
  input  logic        rst_ni,
  input  logic        seed_valid_i,  // takes seed_i; wins over step_i
  input  logic [31:0] seed_i,
  input  logic        step_i,
  output logic [31:0] value_o,
  output logic [31:0] ahead_o        // the value that many steps on
);
  localparam logic [31:0] Taps = 32'h8020_0003;
  logic [31:0] value_q;

  function automatic logic [31:0] after(input logic [31:0] value);
    after = {1'b0, value[31:1]} ^ (value[0] ? Taps : '0);
  endfunction

  always_comb begin
    ahead_o = value_q;
    for (int i = 0; i < Ahead; i++) ahead_o = after(ahead_o);
  end

  always_ff @(posedge clk_i) begin
    if (!rst_ni) value_q <= 32'd1;
    else if (seed_valid_i) value_q <= (seed_i == '0) ? 32'd1 : seed_i;
    else if (step_i) value_q <= after(value_q);
  end

  assign value_o = value_q;

  `include "assert.svh"
  `ASSERT(NeverZero, value_q != '0)
endmodule
