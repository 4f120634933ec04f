// Front end: fetch, prediction, instruction boundaries, fetch buffer.
//
//        F0                 F1                            F2
//   +-----------+   +-----------------+   +---------------------------------+   +--------+
//   | next pc   |-->| hit? directions |-->| instructions, real end, next pc |-->| buffer |--> decode
//   | read all  |   | guessed next pc |   | push to queue and buffer        |   +--------+
//   +-----------+   +-----------------+   +---------------------------------+
//     ^  ^  ^____________|  no bubble       |
//     |  |__________________________________|  F2 disagrees with F1's guess: one bubble
//     |_____ redirect_i: in the same cycle, above all else
//
// Addresses are virtual; F1 has the physical page from the instruction TLB (fetch_translate). A block that misses, in
// the TLB or in the cache, leaves F1 for F0 again and waits there for the walk or the fill. History and return stack
// are those of the path fetched, packet by packet, so predictions do not depend on stalls. After a packet that may not
// be, or that the bus answers with an error, the front end rests until a redirect.
module frontend
  import config_pkg::*;
  import core_pkg::*;
  import line_pkg::*;
  import mmu_pkg::*;
  import fetch_pkg::*;
  import life_pkg::*;
(
  input  logic        clk_i,
  input  logic        rst_ni,
  input  word_t       reset_pc_i,
  input  redirect_t   redirect_i,
  output fetch_insn_t insn_o [CoreWidth],
  output logic [CoreWidth-1:0] insn_valid_o,
  input  logic [CoreWidth-1:0] insn_take_i,
  input  ftq_idx_t    ftq_read_idx_i,
  output word_t       ftq_read_next_pc_o,
  input  logic        commit_valid_i,
  input  ftq_idx_t    commit_ftq_i,
  input  vm_t         vm_i,
  input  pmp_region_t pmp_i [PmpRegions],
  input  region_t     region_i [Regions],
  input  tlb_flush_t  tlb_flush_i,
  output walk_req_t   walk_req_o,
  input  logic        walk_ready_i,
  input  walk_resp_t  walk_resp_i,
  output line_req_t   imem_req_o,
  input  logic        imem_ready_i,
  input  line_resp_t  imem_resp_i,
  output logic        fetch_valid_o,
  output word_t       fetch_pc_o,
  output packet_t     packet_o             // ProfileTags != 0
);
  typedef struct packed {
    block_addr_t block;
    slot_t slot;
  } at_t;  // a parcel's address

  // ---- F2 signals that the earlier stages look at ----
  logic f2_fire, f2_redirect, f2_halt;
  at_t f2_next;
  hist_t f2_hist_after;

  // ---- F1 state ----
  logic f1_valid_q;
  missed_t f1_missed_q;
  at_t f1_at_q;
  hist_t f1_hist_q;
  logic f1_taken, f1_hit, f1_tlb_miss, f1_page_fault, f1_access_fault, f1_bus_error, f1_fault, f1_ok, f1_bounce,
      f1_advance, f1_pending, fill;
  slot_t f1_slot;
  word_t f1_target;

  // ---- F0: what to fetch ----
  block_addr_t f0_block;
  logic [11-OffsetBits:0] f0_usual;  // in its page, where F2 does not redirect
  at_t f1_guess;
  hist_t f0_hist, f1_guess_hist, redirect_hist;
  logic f0_fire, walking;
  assign f1_guess = f1_taken ? f1_target[63:1] : {f1_at_q.block + 1'b1, slot_t'(0)};
  assign f1_guess_hist = f1_taken ? history_push(f1_hist_q, 16'({f1_at_q.block, f1_slot}), f1_target[16:1]) : f1_hist_q;

  fetch_next u_next (
    .clk_i, .rst_ni, .reset_pc_i, .redirect_i, .redirect_hist_i(redirect_hist),
    .f2_redirect_i(f2_redirect), .f2_next_i(f2_next), .f2_hist_i(f2_hist_after), .f2_halt_i(f2_halt),
    .guess_i(f1_guess), .guess_hist_i(f1_guess_hist), .advance_i(f1_advance), .bounce_i(f1_bounce),
    .tlb_miss_i(f1_tlb_miss), .pending_i(f1_pending), .fill_i(fill), .walking_i(walking),
    .fire_o(f0_fire), .block_o(f0_block), .usual_o(f0_usual), .hist_o(f0_hist),
    .f1_valid_o(f1_valid_q), .f1_at_o(f1_at_q), .f1_hist_o(f1_hist_q), .f1_missed_o(f1_missed_q)
  );

  // ---- F1: cache, directions, guess of the next packet ----
  parcels_t f1_parcels;
  slots_t f1_predict, f1_tage;
  tage_meta_t f1_meta;
  logic [1:0] f1_btb_hit;
  slot_t f1_btb_slot [2];
  word_t f1_ras_top, f1_btb_target;
  logic f1_btb_taken;
  slot_t f1_btb_end;

  ppn_t f1_page;
  assign f1_fault = f1_page_fault || f1_access_fault;
  assign f1_ok = f1_valid_q && (((f1_hit || f1_bus_error) && !f1_tlb_miss) || f1_fault);
  assign f1_bounce = f1_valid_q && !f1_ok;

  fetch_translate u_translate (
    .clk_i, .rst_ni, .vm_i, .pmp_i, .region_i, .flush_i(tlb_flush_i),
    .valid_i(f1_valid_q), .block_i(f1_at_q.block), .page_o(f1_page), .miss_o(f1_tlb_miss), .page_fault_o(f1_page_fault),
    .access_fault_o(f1_access_fault),
    .ask_i(f1_valid_q && f1_tlb_miss && !f2_halt), .drop_i(redirect_i.valid || f2_redirect), .waiting_o(walking),
    .walk_req_o, .walk_ready_i, .walk_resp_i
  );

  icache u_icache (
    .clk_i, .rst_ni, .invalidate_i(redirect_i.valid && redirect_i.icache_invalidate),
    .read_i(f0_fire), .read_block_i('{f0_usual, f2_next.block[11-OffsetBits:0]}),
    .read_other_i(f2_redirect), .use_i(f1_valid_q && !f1_fault && !f1_tlb_miss && !redirect_i.valid), .page_i(f1_page),
    .drop_i(redirect_i.valid || f2_redirect), .hit_o(f1_hit), .error_o(f1_bus_error), .parcels_o(f1_parcels),
    .pending_o(f1_pending), .fill_o(fill), .req_o(imem_req_o), .ready_i(imem_ready_i), .resp_i(imem_resp_i)
  );

  // ---- training and recovery ----
  logic train;
  block_addr_t train_block;
  hist_t train_hist;
  tage_meta_t train_meta;
  packet_info_t train_info;
  logic [39:1] train_target;
  redirect_past_t past;
  slot_t redirect_slot;
  word_t redirect_link;
  assign redirect_slot = redirect_i.offset[OffsetBits-1:1];
  assign redirect_link = {past.block, redirect_slot, 1'b0} + 64'd2;
  assign redirect_hist = redirect_i.branch && redirect_i.taken ?
    history_push(past.hist, 16'({past.block, redirect_slot}), redirect_i.pc[16:1]) : past.hist;

  tage u_tage (
    .clk_i, .rst_ni,
    .read_i(f0_fire), .read_key_i(f0_block[$bits(key_t)-1:0]), .read_hist_i(f0_hist),
    .taken_o(f1_tage), .meta_o(f1_meta),
    .train_i(train), .train_key_i(train_block[$bits(key_t)-1:0]), .train_hist_i(train_hist), .train_meta_i(train_meta),
    .train_branches_i(train_info.branches), .train_last_i(train_info.last), .train_taken_i(train_info.taken),
    .train_mispredict_i(train_info.mispredict)
  );

  btb u_btb (
    .clk_i, .rst_ni,
    .read_i(f0_fire), .read_block_i(f0_block),
    .start_i(f1_at_q.slot), .predict_taken_i(f1_tage), .ras_top_i(f1_ras_top),
    .taken_o(f1_btb_taken), .slot_o(f1_btb_end), .target_o(f1_btb_target), .hit_o(f1_btb_hit), .hit_slot_o(f1_btb_slot),
    .train_i(train), .train_block_i(train_block), .train_info_i(train_info), .train_target_i(train_target)
  );

  // ---- F2 state ----
  logic f2_valid_q, f2_fault_q, f2_page_fault_q, f2_guess_taken_q, half_q;
  missed_t f2_missed_q, half_missed_q;
  at_t f2_at_q;
  hist_t f2_hist_q;
  parcels_t f2_parcels_q;
  slots_t f2_predict_q;
  tage_meta_t f2_meta_q;
  slot_t f2_guess_slot_q;
  word_t f2_guess_target_q;
  logic [1:0] f2_btb_hit_q;
  slot_t f2_btb_slot0_q, f2_btb_slot1_q;
  logic [15:0] half_parcel_q;

  assign f1_advance = f1_ok && (!f2_valid_q || f2_fire);
  always_ff @(posedge clk_i) begin
    if (!rst_ni) f2_valid_q <= 1'b0;
    else if (redirect_i.valid || f2_redirect || f2_halt) f2_valid_q <= 1'b0;
    else f2_valid_q <= f1_advance || (f2_valid_q && !f2_fire);
    if (f1_advance) begin
      f2_at_q <= f1_at_q;
      f2_hist_q <= f1_hist_q;
      f2_fault_q <= f1_fault || f1_bus_error;
      f2_page_fault_q <= f1_page_fault;
      f2_missed_q <= f1_missed_q;
      f2_parcels_q <= f1_parcels;
      f2_predict_q <= f1_predict;
      f2_meta_q <= f1_meta;
      f2_guess_taken_q <= f1_taken;
      f2_guess_slot_q <= f1_slot;
      f2_guess_target_q <= f1_target;
      f2_btb_hit_q <= f1_btb_hit;
      f2_btb_slot0_q <= f1_btb_slot[0];
      f2_btb_slot1_q <= f1_btb_slot[1];
    end
  end

  // ---- F2: instructions, end of the packet ----
  slots_t ends, rvc, branch, jump, keep, push_slots, push_rvc, push_taken;
  logic [31:0] insn [FetchWidth];
  logic [31:0] push_insn [FetchWidth];
  cfi_e kind [FetchWidth];
  cfi_e end_kind;
  logic half_starts, taken, agrees;
  logic [15:0] half_parcel;
  slot_t end_slot;
  word_t link, next_pc, ras_top, f2_return;
  ras_snap_t ras_snap;

  predecode u_predecode (
    .valid_i(f2_valid_q && !f2_fault_q), .parcels_i(f2_parcels_q), .start_i(f2_at_q.slot), .half_valid_i(half_q),
    .half_i(half_parcel_q), .ends_o(ends), .rvc_o(rvc), .branch_o(branch), .jump_o(jump), .insn_o(insn), .kind_o(kind),
    .half_valid_o(half_starts), .half_o(half_parcel)
  );

  packet_end u_end (
    .block_i(f2_at_q.block), .rvc_i(rvc), .branch_i(branch), .jump_i(jump), .insn_i(insn), .kind_i(kind),
    .predict_taken_i(f2_predict_q), .guess_taken_i(f2_guess_taken_q), .guess_slot_i(f2_guess_slot_q),
    .guess_target_i(f2_guess_target_q), .ras_top_i(f2_return), .taken_o(taken), .slot_o(end_slot), .keep_o(keep),
    .kind_o(end_kind), .link_o(link), .next_pc_o(next_pc), .agrees_o(agrees)
  );

  // A packet that may not be fetched is one instruction without a word: where it starts, or, if the block before
  // holds its first half, two bytes earlier; bit 0 of its word then gives the half at fault, bit 1 marks a
  // page fault.
  always_comb begin
    push_slots = ends & keep;
    push_rvc = rvc;
    push_taken = '0;
    push_taken[end_slot] = taken;
    for (int unsigned s = 0; s < FetchWidth; s++) push_insn[s] = insn[s];
    if (f2_fault_q) begin
      push_slots = '0;
      push_slots[f2_at_q.slot] = 1'b1;
      push_rvc = half_q ? '0 : '1;
      push_insn[f2_at_q.slot] = {30'd0, f2_page_fault_q, half_q};
    end
  end

  logic ftq_ready, buffer_ready, push;
  missed_t missed;
  ftq_idx_t push_idx;
  assign missed = f2_missed_q | half_missed_q;
  assign f2_fire = f2_valid_q && ftq_ready && buffer_ready && !redirect_i.valid;
  assign push = f2_fire && push_slots != '0;
  assign f2_halt = f2_fire && f2_fault_q;
  assign f2_next = next_pc[63:1];
  assign f2_hist_after = taken ? history_push(f2_hist_q, 16'({f2_at_q.block, end_slot}), next_pc[16:1]) : f2_hist_q;
  assign f2_redirect = f2_fire && !f2_fault_q && !agrees;

  // First half of an instruction that goes on in the next block, and whether its block missed but had nothing to
  // carry that fact: then the instruction does, one packet later.
  always_ff @(posedge clk_i) begin
    if (!rst_ni || redirect_i.valid) begin
      half_q <= 1'b0;
      half_missed_q <= '0;
    end else if (f2_fire) begin
      half_q <= half_starts && !taken;
      half_missed_q <= push ? '0 : missed;
    end
    if (f2_fire) half_parcel_q <= half_parcel;
  end

  ras u_ras (
    .clk_i, .rst_ni,
    .push_i(f2_fire && cfi_pushes(end_kind)), .pop_i(f2_fire && cfi_pops(end_kind)), .link_i(link),
    .top_o(ras_top), .next_top_o(f1_ras_top), .snap_o(ras_snap),
    .restore_i(redirect_i.valid), .restore_snap_i(past.ras), .restore_push_i(cfi_pushes(past.kind)),
    .restore_pop_i(cfi_pops(past.kind)), .restore_link_i(redirect_link)
  );

  // ---- what the predictors have said ----
  if (IdealSockets != 0) begin : gen_ideal
    ideal_branches u_ideal (
      .clk_i, .rst_ni, .redirect_i(redirect_i.valid),
      .push_i(push), .f2_valid_i(f2_valid_q), .f2_slots_i(push_slots), .f2_target_i(f2_guess_target_q),
      .f2_ras_top_i(ras_top), .f2_ras_top_o(f2_return),
      .f1_valid_i(f1_valid_q), .f1_advance_i(f1_advance), .f1_pc_i({f1_at_q, 1'b0}),
      .predict_i(f1_tage), .taken_i(f1_btb_taken), .slot_i(f1_btb_end), .target_i(f1_btb_target),
      .predict_o(f1_predict), .taken_o(f1_taken), .slot_o(f1_slot), .target_o(f1_target)
    );
  end else begin : gen_predicted
    assign f1_predict = f1_tage;
    assign f1_taken = f1_btb_taken;
    assign f1_slot = f1_btb_end;
    assign f1_target = f1_btb_target;
    assign f2_return = ras_top;
  end

  ftq u_ftq (
    .clk_i, .rst_ni,
    .ready_o(ftq_ready), .push_i(push), .push_idx_o(push_idx), .push_block_i(f2_at_q.block), .push_hist_i(f2_hist_q),
    .push_meta_i(f2_meta_q),
    .push_info_i('{branches: branch & keep, last: end_slot, kind: end_kind, taken: taken, mispredict: 1'b0,
                   btb_hit: f2_btb_hit_q, btb_slot0: f2_btb_slot0_q, btb_slot1: f2_btb_slot1_q}),
    .push_next_pc_i(next_pc), .push_ras_i(ras_snap),
    .redirect_i, .redirect_o(past),
    .read_idx_i(ftq_read_idx_i), .read_next_pc_o(ftq_read_next_pc_o), .commit_valid_i, .commit_idx_i(commit_ftq_i),
    .train_o(train), .train_block_o(train_block), .train_hist_o(train_hist), .train_meta_o(train_meta),
    .train_info_o(train_info), .train_target_o(train_target)
  );

  fetch_buffer u_buffer (
    .clk_i, .rst_ni, .flush_i(redirect_i.valid),
    .ready_o(buffer_ready), .push_i(push), .push_block_i(f2_at_q.block), .push_slots_i(push_slots),
    .push_rvc_i(push_rvc), .push_taken_i(push_taken), .push_insn_i(push_insn), .push_ftq_i(push_idx),
    .push_fault_i(f2_fault_q), .push_missed_i(missed),
    .insn_o, .valid_o(insn_valid_o), .take_i(insn_take_i)
  );

  // ---- observers ----
  if (ProfileTags != 0) begin : gen_packet
    directions_t history;
    slots_t branches;
    assign branches = f2_fault_q ? '0 : branch & keep;
    branch_history u_branch_history (
      .clk_i, .rst_ni,
      .push_i(push), .push_idx_i(push_idx), .branches_i(branches), .taken_i(taken && end_kind == CFI_COND),
      .history_o(history), .redirect_i, .conditional_i(past.kind == CFI_COND)
    );
    always_comb begin
      packet_o = '0;
      if (push) begin
        packet_o = '{valid: 1'b1, block: f2_at_q.block, slots: push_slots, rvc: push_rvc, branches: branches,
                     kind: '{default: CFI_NONE}, history: history};
        if (!f2_fault_q) for (int unsigned s = 0; s < FetchWidth; s++) packet_o.kind[s] = kind[s];
      end
    end
  end else begin : gen_no_packet
    assign packet_o = '0;
  end
  assign fetch_valid_o = push;
  assign fetch_pc_o = half_q ? {f2_at_q.block, OffsetBits'(0)} - 64'd2 : {f2_at_q, 1'b0};

  `include "assert.svh"
  `ASSERT(AgreementIsRight, !f2_valid_q || f2_fault_q || agrees == (taken == f2_guess_taken_q &&
    (!taken || (end_slot == f2_guess_slot_q && next_pc[63:1] == f2_guess_target_q[63:1]))))
endmodule
