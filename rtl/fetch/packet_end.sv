// Where a packet ends and what is fetched after it.
//
// Combinational (stage F2), after predecode. The packet ends at the first transfer that is taken for sure or by
// prediction; a direct target is computed from the instruction, so only directions and indirect targets can be wrong.
module packet_end
  import config_pkg::*;
  import core_pkg::*;
  import fetch_pkg::*;
(
  input  block_addr_t block_i,
  input  slots_t      rvc_i,
  input  slots_t      branch_i,
  input  slots_t      jump_i,
  input  logic [31:0] insn_i [FetchWidth],
  input  cfi_e        kind_i [FetchWidth],
  input  slots_t      predict_taken_i,   // direction predictor
  input  logic        guess_taken_i,     // next-packet predictor: a transfer at guess_slot_i, to guess_target_i
  input  slot_t       guess_slot_i,
  input  word_t       guess_target_i,
  input  word_t       ras_top_i,
  output logic        taken_o,
  output slot_t       slot_o,            // of the transfer; the last slot when none is taken
  output slots_t      keep_o,            // slots up to slot_o
  output cfi_e        kind_o,            // CFI_NONE when none is taken
  output word_t       link_o,            // address after the transfer
  output word_t       next_pc_o
);
  function automatic logic [20:0] offset_of(input cfi_e kind, input logic rvc, input logic [31:2] i);
    logic [11:0] c_j;
    logic [8:0] c_b;
    c_j = {i[12], i[8], i[10:9], i[6], i[7], i[2], i[11], i[5:3], 1'b0};
    c_b = {i[12], i[6:5], i[2], i[11:10], i[4:3], 1'b0};
    if (rvc) offset_of = kind == CFI_COND ? {{12{c_b[8]}}, c_b} : {{9{c_j[11]}}, c_j};
    else if (kind == CFI_COND) offset_of = {{8{i[31]}}, i[31], i[7], i[30:25], i[11:8], 1'b0};
    else offset_of = {i[31], i[19:12], i[20], i[30:21], 1'b0};
  endfunction

  slots_t stops;
  assign stops = jump_i | (branch_i & predict_taken_i);

  always_comb begin
    taken_o = 1'b0;
    slot_o = slot_t'(FetchWidth - 1);
    keep_o = '0;
    for (int unsigned s = 0; s < FetchWidth; s++) begin
      if (!taken_o) begin
        keep_o[s] = 1'b1;
        if (stops[s]) begin
          taken_o = 1'b1;
          slot_o = slot_t'(s);
        end
      end
    end
  end

  word_t last_parcel, pc, direct;
  logic [20:0] offset;
  assign last_parcel = {block_i, slot_o, 1'b0};
  assign link_o = last_parcel + 64'd2;
  assign pc = rvc_i[slot_o] ? last_parcel : last_parcel - 64'd2;
  assign offset = offset_of(kind_i[slot_o], rvc_i[slot_o], insn_i[slot_o][31:2]);
  assign direct = pc + {{43{offset[20]}}, offset};

  // An indirect transfer seen for the first time has no target to offer: fetch goes on behind it.
  always_comb begin
    kind_o = CFI_NONE;
    next_pc_o = {block_i + 1'b1, OffsetBits'(0)};
    if (taken_o) begin
      kind_o = kind_i[slot_o];
      case (kind_i[slot_o])
        CFI_IJUMP, CFI_ICALL: next_pc_o = guess_taken_i && guess_slot_i == slot_o ? guess_target_i : link_o;
        CFI_RET, CFI_SWAP: next_pc_o = ras_top_i;
        default: next_pc_o = direct;
      endcase
    end
  end
endmodule
