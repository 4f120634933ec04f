// An array's read port without a clock: what a multiplexer of as many words takes in the library.
module overhead_read #(
  parameter int unsigned Words = 8,
  parameter int unsigned Bits = 16
) (
  input  logic clk_i,
  input  logic [$clog2(Words)-1:0] word_i,
  input  logic [Words-1:0][Bits-1:0] words_i,
  output logic [Bits-1:0] data_o
);
  logic [$clog2(Words)-1:0] word_q;
  always_ff @(posedge clk_i) word_q <= word_i;
  assign data_o = words_i[word_q];
endmodule
