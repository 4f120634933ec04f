// amo_alu with its operation as a plain number: 0 swap, 1 add, 2 xor, 3 or, 4 and, 5 min, 6 max, 7 minu, 8 maxu.
module amo_alu_tb
  import instructions_pkg::*;
  import core_pkg::*;
(
  input  logic [3:0] kind_i,
  input  logic double_i,
  input  word_t old_i,
  input  word_t operand_i,
  output word_t new_o
);
  op_e op;
  always_comb
    case ({double_i, kind_i})
      {1'b0, 4'd0}: op = OP_AMOSWAP_W;
      {1'b0, 4'd1}: op = OP_AMOADD_W;
      {1'b0, 4'd2}: op = OP_AMOXOR_W;
      {1'b0, 4'd3}: op = OP_AMOOR_W;
      {1'b0, 4'd4}: op = OP_AMOAND_W;
      {1'b0, 4'd5}: op = OP_AMOMIN_W;
      {1'b0, 4'd6}: op = OP_AMOMAX_W;
      {1'b0, 4'd7}: op = OP_AMOMINU_W;
      {1'b0, 4'd8}: op = OP_AMOMAXU_W;
      {1'b1, 4'd0}: op = OP_AMOSWAP_D;
      {1'b1, 4'd1}: op = OP_AMOADD_D;
      {1'b1, 4'd2}: op = OP_AMOXOR_D;
      {1'b1, 4'd3}: op = OP_AMOOR_D;
      {1'b1, 4'd4}: op = OP_AMOAND_D;
      {1'b1, 4'd5}: op = OP_AMOMIN_D;
      {1'b1, 4'd6}: op = OP_AMOMAX_D;
      {1'b1, 4'd7}: op = OP_AMOMINU_D;
      default: op = OP_AMOMAXU_D;
    endcase

  amo_alu u_amo_alu (.op_i(op), .old_i, .operand_i, .new_o);
endmodule
