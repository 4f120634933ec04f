// alu with its operation as a number of instructions_pkg.
module alu_tb
  import instructions_pkg::*;
(
  input  logic [7:0]  op_i,
  input  logic [63:0] a_i,
  input  logic [63:0] b_i,
  output logic [63:0] result_o
);
  alu u_alu (.op_i(op_e'(op_i)), .a_i, .b_i, .result_o);
endmodule
