// Integer ALU: what takes one cycle and is neither jump nor memory access. Combinational.
//
// Operand b is rs2 or the immediate, a is rs1 or the pc; so lui is b, auipc is a + b.
module alu
  import instructions_pkg::*;
  import core_pkg::*;
(
  input  op_e op_i,
  input  word_t a_i,
  input  word_t b_i,
  output word_t result_o
);
  logic [31:0] word;
  logic [4:0] shift32;
  logic [5:0] shift64;
  logic is_word;
  assign shift32 = b_i[4:0];
  assign shift64 = b_i[5:0];

  always_comb begin
    is_word = 1'b1;
    case (op_i)
      OP_ADDIW, OP_ADDW: word = a_i[31:0] + b_i[31:0];
      OP_SUBW: word = a_i[31:0] - b_i[31:0];
      OP_SLLIW, OP_SLLW: word = a_i[31:0] << shift32;
      OP_SRLIW, OP_SRLW: word = a_i[31:0] >> shift32;
      OP_SRAIW, OP_SRAW: word = $signed(a_i[31:0]) >>> shift32;
      default: begin
        word = '0;
        is_word = 1'b0;
      end
    endcase
  end

  always_comb begin
    case (op_i)
      OP_LUI: result_o = b_i;
      OP_SUB: result_o = a_i - b_i;
      OP_SLL, OP_SLLI: result_o = a_i << shift64;
      OP_SRL, OP_SRLI: result_o = a_i >> shift64;
      OP_SRA, OP_SRAI: result_o = $signed(a_i) >>> shift64;
      OP_SLT, OP_SLTI: result_o = {63'd0, $signed(a_i) < $signed(b_i)};
      OP_SLTU, OP_SLTIU: result_o = {63'd0, a_i < b_i};
      OP_XOR, OP_XORI: result_o = a_i ^ b_i;
      OP_OR, OP_ORI: result_o = a_i | b_i;
      OP_AND, OP_ANDI: result_o = a_i & b_i;
      default: result_o = a_i + b_i;
    endcase
    if (is_word) result_o = {{32{word[31]}}, word};
  end
endmodule
