// New memory value of an AMO or SC. Combinational.
//
// Works on values at the low end; a 32-bit form gives its 32 bits twice, so that a byte mask can pick either half.
module amo_alu
  import instructions_pkg::*;
  import core_pkg::*;
(
  input  op_e   op_i,
  input  word_t old_i,      // memory value, sign-extended
  input  word_t operand_i,  // rs2
  output word_t new_o
);
  logic word_form, old_less, old_less_u;
  word_t operand, result;

  always_comb begin
    case (op_i)
      OP_LR_W, OP_SC_W, OP_AMOADD_W, OP_AMOSWAP_W, OP_AMOXOR_W, OP_AMOOR_W, OP_AMOAND_W, OP_AMOMIN_W, OP_AMOMAX_W,
      OP_AMOMINU_W, OP_AMOMAXU_W: word_form = 1'b1;
      default: word_form = 1'b0;
    endcase
    // Sign extension of both sides keeps the order of 32-bit values, signed and unsigned.
    operand = word_form ? {{32{operand_i[31]}}, operand_i[31:0]} : operand_i;
    old_less = $signed(old_i) < $signed(operand);
    old_less_u = old_i < operand;

    case (op_i)
      OP_AMOADD_W, OP_AMOADD_D: result = old_i + operand;
      OP_AMOXOR_W, OP_AMOXOR_D: result = old_i ^ operand;
      OP_AMOOR_W, OP_AMOOR_D: result = old_i | operand;
      OP_AMOAND_W, OP_AMOAND_D: result = old_i & operand;
      OP_AMOMIN_W, OP_AMOMIN_D: result = old_less ? old_i : operand;
      OP_AMOMAX_W, OP_AMOMAX_D: result = old_less ? operand : old_i;
      OP_AMOMINU_W, OP_AMOMINU_D: result = old_less_u ? old_i : operand;
      OP_AMOMAXU_W, OP_AMOMAXU_D: result = old_less_u ? operand : old_i;
      default: result = operand;  // AMOSWAP, SC
    endcase
    new_o = word_form ? {result[31:0], result[31:0]} : result;
  end
endmodule
