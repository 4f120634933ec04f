// Where a packet ends and what is fetched after it.
//
// Combinational (stage F2), after predecode. The packet ends at the first transfer that is taken for sure or by
// prediction; a direct target is computed from the instruction, so only directions and indirect targets can be wrong.
// Whether the next-packet predictor has said the same, agrees_o, is the first thing to be known, since F0 may have to
// restart: it is judged at the slot that was guessed, beside the search for the end, and a direct target without the
// sum itself.
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

  // ---- each slot's instruction: what follows it, and two numbers that add up to its direct target ----
  // One that starts in the block before (slot 0) starts two bytes before this one: block + offset - 2, as sum and
  // carries. Functions, so that simulation looks at the slots alone that are asked for.
  block_addr_t block_after;
  assign block_after = block_i + 1'b1;

  function automatic word_t behind(input slot_t s);
    behind = s == slot_t'(FetchWidth - 1) ? {block_after, OffsetBits'(0)} : {block_i, s + 1'b1, 1'b0};
  endfunction
  function automatic word_t offset(input slot_t s);
    logic [20:0] short_offset;
    short_offset = offset_of(kind_i[s], rvc_i[s], insn_i[s][31:2]);
    offset = {{43{short_offset[20]}}, short_offset};
  endfunction
  function automatic logic halved(input slot_t s);
    halved = s == '0 && !rvc_i[0];
  endfunction
  function automatic word_t sum_part(input slot_t s, input word_t far);
    sum_part = {block_i, rvc_i[s] || s == '0 ? s : s - 1'b1, 1'b0};
    if (halved(s)) sum_part = ~(sum_part ^ far) & ~64'd1;
  endfunction
  function automatic word_t carry_part(input slot_t s, input word_t far);
    carry_part = halved(s) ? ({block_i, OffsetBits'(0)} | far) << 1 : far;
  endfunction

  // ---- the guess ----
  // a + b == c, without a carry that runs: a + b + ~c must be all ones.
  function automatic logic sums_to(input word_t a, input word_t b, input word_t c);
    sums_to = ((a ^ b ^ ~c) ^ (((a & b) | ((a | b) & ~c)) << 1)) == '1;
  endfunction
  function automatic logic target_agrees(input slot_t s);
    word_t far;
    far = offset(s);
    case (kind_i[s])
      CFI_IJUMP, CFI_ICALL: target_agrees = 1'b1;
      CFI_RET, CFI_SWAP: target_agrees = ras_top_i[63:1] == guess_target_i[63:1];
      default: target_agrees = sums_to(sum_part(s, far), carry_part(s, far), {guess_target_i[63:1], 1'b0});
    endcase
  endfunction

  slots_t below;
  assign below = ~({FetchWidth{1'b1}} << guess_slot_i);
  always_comb begin
    agrees_o = stops == '0;
    if (guess_taken_i) begin
      agrees_o = 1'b0;
      for (int s = 0; s < FetchWidth; s++)
        if (stops[s] && guess_slot_i == slot_t'(s) && (stops & below) == '0) agrees_o = target_agrees(slot_t'(s));
    end
  end

  // ---- what follows: a sum for each slot, chosen when the end is known ----
  // An indirect transfer seen for the first time has no target to offer: fetch goes on after it.
  function automatic word_t target(input slot_t s);
    word_t far;
    far = offset(s);
    case (kind_i[s])
      CFI_IJUMP, CFI_ICALL: target = guess_taken_i && guess_slot_i == s ? guess_target_i : behind(s);
      CFI_RET, CFI_SWAP: target = ras_top_i;
      default: target = sum_part(s, far) + carry_part(s, far);
    endcase
  endfunction

  slots_t ends;
  assign ends = stops & keep_o;  // one at most
  assign link_o = behind(slot_o);
  always_comb begin
    kind_o = CFI_NONE;
    next_pc_o = taken_o ? '0 : {block_after, OffsetBits'(0)};
    for (int s = 0; s < FetchWidth; s++)
      if (ends[s]) begin
        kind_o = cfi_e'(kind_o | kind_i[s]);
        next_pc_o |= target(slot_t'(s));
      end
  end
endmodule
