// Fetch target queue: the record of every packet between F2 and retirement.
//
// A circular queue. F2 pushes; a redirect drops what is younger than its packet and corrects that packet's record; a
// packet is freed once an instruction of a younger one has committed, or is the oldest and flushes or traps, one a
// cycle, and on its way out trains the predictors. Invariant: the packet of the oldest instruction that has not
// committed, or else of the youngest that has, is always here.
module ftq
  import config_pkg::*;
  import ring_pkg::*;
  import core_pkg::*;
  import fetch_pkg::*;
(
  input  logic         clk_i,
  input  logic         rst_ni,
  // F2
  output logic         ready_o,
  input  logic         push_i,
  output ftq_idx_t     push_idx_o,
  input  block_addr_t  push_block_i,
  input  hist_t        push_hist_i,       // before the packet
  input  tage_meta_t   push_meta_i,
  input  packet_info_t push_info_i,
  input  word_t        push_next_pc_i,
  input  ras_snap_t    push_ras_i,        // before the packet
  // redirect: record of its packet, as it was
  input  redirect_t    redirect_i,
  output redirect_past_t redirect_o,
  // backend
  input  ftq_idx_t     read_idx_i,
  output word_t        read_next_pc_o,
  input  logic         commit_valid_i,
  input  ftq_idx_t     commit_idx_i,
  // training
  output logic         train_o,
  output block_addr_t  train_block_o,
  output hist_t        train_hist_o,
  output tage_meta_t   train_meta_o,
  output packet_info_t train_info_o,
  output logic [39:1]  train_target_o
);
  block_addr_t block [FtqEntries];
  hist_t hist [FtqEntries];
  tage_meta_t meta [FtqEntries];
  packet_info_t info [FtqEntries];
  word_t next_pc [FtqEntries];
  ras_snap_t ras [FtqEntries];

  // head: oldest packet; commit: packet of the youngest committed or trapped instruction, a bound for head; tail: next
  // free. One entry stays free, so that head == tail says empty.
  ftq_idx_t head [2], tail [2], head_q, tail_q, commit_q;
  logic release_head;
  assign head_q = head[0];
  assign tail_q = tail[0];
  assign release_head = head_q != commit_q;
  assign ready_o = tail[1] != head_q;
  assign push_idx_o = tail_q;

  ring_ptr #(.Size(FtqEntries), .Wrap(1'b0)) u_head (
    .clk_i, .rst_ni, .put_i(1'b0), .put_at_i('0), .step_i(release_head), .at_o(head)
  );
  ring_ptr #(.Size(FtqEntries), .Wrap(1'b0)) u_tail (
    .clk_i, .rst_ni, .put_i(redirect_i.valid), .put_at_i(ftq_idx_t'(ring_sum(32'(redirect_i.ftq), 1, FtqEntries))),
    .step_i(push_i), .at_o(tail)
  );
  always_ff @(posedge clk_i)
    if (!rst_ni) commit_q <= '0;
    else if (redirect_i.valid && !redirect_i.branch) commit_q <= redirect_i.ftq;
    else if (commit_valid_i) commit_q <= commit_idx_i;

  // ---- redirect ----
  packet_info_t old_info, fixed_info;
  slot_t slot;
  cfi_e redirect_kind;
  assign slot = redirect_i.offset[OffsetBits-1:1];
  assign redirect_o = '{hist: hist[redirect_i.ftq], ras: ras[redirect_i.ftq], block: block[redirect_i.ftq],
                        kind: redirect_kind};
  assign old_info = info[redirect_i.ftq];
  always_comb begin
    redirect_kind = CFI_NONE;
    if (redirect_i.branch) redirect_kind = old_info.branches[slot] ? CFI_COND : old_info.kind;
  end

  // What a flush cuts off was never resolved: nothing is learnt from its packet.
  always_comb begin
    fixed_info = old_info;
    fixed_info.last = slot;
    fixed_info.kind = redirect_kind;
    fixed_info.taken = redirect_i.branch && redirect_i.taken;
    fixed_info.mispredict = redirect_kind == CFI_COND;
    fixed_info.branches = '0;
    for (int unsigned s = 0; s < FetchWidth; s++) begin
      fixed_info.branches[s] = redirect_i.branch && old_info.branches[s] && slot_t'(s) <= slot;
    end
  end

  always_ff @(posedge clk_i) begin
    if (redirect_i.valid) begin
      info[redirect_i.ftq] <= fixed_info;
      next_pc[redirect_i.ftq] <= redirect_i.pc;
    end else if (push_i) begin
      info[tail_q] <= push_info_i;
      next_pc[tail_q] <= push_next_pc_i;
      block[tail_q] <= push_block_i;
      hist[tail_q] <= push_hist_i;
      meta[tail_q] <= push_meta_i;
      ras[tail_q] <= push_ras_i;
    end
  end

  assign read_next_pc_o = next_pc[read_idx_i];

  // ---- training ----
  assign train_o = release_head;
  assign train_block_o = block[head_q];
  assign train_hist_o = hist[head_q];
  assign train_meta_o = meta[head_q];
  assign train_info_o = info[head_q];
  assign train_target_o = next_pc[head_q][39:1];

  `include "assert.svh"
  `ASSERT(NoOverflow, !push_i || ready_o || redirect_i.valid)
endmodule
