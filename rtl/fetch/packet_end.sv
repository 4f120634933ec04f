// Where a packet ends and what is fetched after it.
//
// Combinational (stage F2), after predecode. The packet ends at the first transfer that is taken for sure or by
// prediction; a direct target is computed from the instruction, so only directions and indirect targets can be wrong.
// Whether the next-packet predictor has said the same, agrees_o, is the first thing to be known, since F0 may have to begin anew: it
// is judged at the slot that was guessed, beside the search for the end, and a direct target without the sum itself.
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
  output word_t       next_pc_o,
  output logic        agrees_o           // with the guess: the same transfer to the same address, or none
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

  // From the last parcel of each slot's instruction to its direct target. A 32-bit form starts two bytes before it.
  typedef logic [21:0] distance_t;
  distance_t distance [FetchWidth];
  for (genvar s = 0; s < FetchWidth; s++) begin : gen_slot
    logic [20:0] offset;
    assign offset = offset_of(kind_i[s], rvc_i[s], insn_i[s][31:2]);
    assign distance[s] = rvc_i[s] ? {offset[20], offset} : {offset[20], offset} - 22'd2;
  end

  function automatic word_t extend(input distance_t d);
    extend = {{42{d[21]}}, d};
  endfunction
  // a + b == c, without a carry that runs: a + b + ~c must be all ones.
  function automatic logic sums_to(input word_t a, input word_t b, input word_t c);
    sums_to = ((a ^ b ^ ~c) ^ (((a & b) | ((a | b) & ~c)) << 1)) == '1;
  endfunction

  word_t last_parcel, direct;
  assign last_parcel = {block_i, slot_o, 1'b0};
  assign link_o = last_parcel + 64'd2;
  assign direct = last_parcel + extend(distance[slot_o]);

  // ---- the guess ----
  slots_t below;
  logic target_agrees;
  assign below = ~({FetchWidth{1'b1}} << guess_slot_i);
  always_comb
    case (kind_i[guess_slot_i])
      CFI_IJUMP, CFI_ICALL: target_agrees = 1'b1;
      CFI_RET, CFI_SWAP: target_agrees = ras_top_i[63:1] == guess_target_i[63:1];
      default: target_agrees = sums_to({block_i, guess_slot_i, 1'b0}, extend(distance[guess_slot_i]), {guess_target_i[63:1], 1'b0});
    endcase
  assign agrees_o = guess_taken_i ? stops[guess_slot_i] && (stops & below) == '0 && target_agrees : stops == '0;

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
