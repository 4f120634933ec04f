// Which operation of the floating-point units an instruction is. Combinational.
//
// Reads the encoding (unprivileged manual, chapters F and D): bits 31:27 of OP-FP say the operation, bit 25 the format.
// Meaningful only where the table says that the instruction exists and uses unit fp.
module fp_decode
  import fp_pkg::*;
(
  input  logic [31:0] insn_i,
  output fp_op_e      op_o,
  output fp_format_e  format_o
);
  logic [1:0] rm;    // low bits of that field: they distinguish operations that do not round
  logic [1:0] kind;  // of integer
  assign rm = insn_i[13:12];
  assign kind = insn_i[21:20];
  assign format_o = insn_i[25] ? FMT_D : FMT_S;

  always_comb begin
    if (!insn_i[4]) begin  // fused multiply-add
      case (insn_i[3:2])
        2'd0: op_o = FPU_MADD;
        2'd1: op_o = FPU_MSUB;
        2'd2: op_o = FPU_NMSUB;
        default: op_o = FPU_NMADD;
      endcase
    end else begin
      case (insn_i[31:27])
        5'h00: op_o = FPU_ADD;
        5'h01: op_o = FPU_SUB;
        5'h02: op_o = FPU_MUL;
        5'h03: op_o = FPU_DIV;
        5'h04: op_o = rm[1] ? FPU_SGNJX : rm[0] ? FPU_SGNJN : FPU_SGNJ;
        5'h05: op_o = rm[0] ? FPU_MAX : FPU_MIN;
        5'h08: op_o = FPU_F_TO_F;
        5'h0b: op_o = FPU_SQRT;
        5'h14: op_o = rm[1] ? FPU_EQ : rm[0] ? FPU_LT : FPU_LE;
        5'h18: op_o = kind == 2'd0 ? FPU_F_TO_W : kind == 2'd1 ? FPU_F_TO_WU : kind == 2'd2 ? FPU_F_TO_L : FPU_F_TO_LU;
        5'h1a: op_o = kind == 2'd0 ? FPU_W_TO_F : kind == 2'd1 ? FPU_WU_TO_F : kind == 2'd2 ? FPU_L_TO_F : FPU_LU_TO_F;
        5'h1c: op_o = rm[0] ? FPU_CLASS : FPU_F_TO_X_BITS;
        default: op_o = FPU_X_TO_F_BITS;
      endcase
    end
  end
endmodule
