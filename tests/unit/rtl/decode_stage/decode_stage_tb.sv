// decode_stage with flat ports of fixed size. Of a decoded instruction only the destination is shown: decoder is tested
// by itself.
module decode_stage_tb
  import config_pkg::*;
  import instructions_pkg::*;
  import core_pkg::*;
  import port_pkg::*;
  import decode_pkg::*;
(
  input  logic        clk_i,
  input  logic        rst_ni,
  output logic [31:0] width_o,
  input  logic [2:0]  frm_i,
  input  logic        squash_i,
  input  logic [7:0]  valid_i,
  input  logic [63:0] pc_i [8],
  input  logic [31:0] insn_i [8],
  output logic [7:0]  take_o,
  output logic [7:0]  valid_o,
  output logic [63:0] pc_o [8],
  output logic [31:0] insn_o [8],
  output logic [31:0] imm_o [8],
  output logic [4:0]  rd_o [8],
  output logic [7:0]  illegal_o,
  output logic        has_fp_o,
  input  logic [7:0]  fire_count_i
);
  fetch_insn_t insn [CoreWidth];
  logic [CoreWidth-1:0] take, valid;
  decoded_t uop [CoreWidth];
  logic [31:0] imm [CoreWidth], bits [CoreWidth];
  word_t pc [CoreWidth];
  always_comb
    for (int i = 0; i < CoreWidth; i++) begin
      insn[i] = '0;
      insn[i].pc = pc_i[i];
      insn[i].insn = insn_i[i];
    end
  decode_stage u_decode_stage (
    .clk_i, .rst_ni, .fs_off_i(1'b0), .frm_i, .squash_i, .insn_i(insn), .insn_valid_i(valid_i[CoreWidth-1:0]),
    .insn_take_o(take), .valid_o(valid), .uop_o(uop), .imm_o(imm), .pc_o(pc), .insn_o(bits),
    .fire_count_i(count_t'(fire_count_i))
  );
  for (genvar i = 0; i < 8; i++) begin : gen_slot
    if (i < CoreWidth) begin : gen_lane
      assign pc_o[i] = pc[i];
      assign insn_o[i] = bits[i];
      assign imm_o[i] = imm[i];
      assign rd_o[i] = uop[i].rd[4:0];
      assign illegal_o[i] = uop[i].unit == UNIT_NONE && uop[i].serial && !uop[i].rd_valid;
    end else begin : gen_none
      assign pc_o[i] = '0;
      assign insn_o[i] = '0;
      assign imm_o[i] = '0;
      assign rd_o[i] = '0;
      assign illegal_o[i] = 1'b0;
    end
  end
  assign take_o = 8'(take);
  assign valid_o = 8'(valid);
  assign width_o = CoreWidth;
  assign has_fp_o = HasFp;
endmodule
