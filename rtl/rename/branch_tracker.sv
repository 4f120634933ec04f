// Branches in flight: a ring of snapshot numbers, and what a misprediction needs to know of each.
//
//      head_q             tail_q
//        | in flight ...    | free ...
//
// Conditional branches and jalr take a number at dispatch, in order, and give it back in order once resolved (they need
// not commit first). A misprediction frees all younger numbers. Latency: a number freed in cycle t is taken in t+1.
module branch_tracker
  import config_pkg::*;
  import ring_pkg::*;
  import core_pkg::*;
  import port_pkg::*;
  import rename_pkg::*;
(
  input  logic clk_i,
  input  logic rst_ni,
  input  squash_t squash_i,
  // dispatch
  input  logic [CoreWidth-1:0] want_i,
  input  logic [CoreWidth-1:0] fire_i,
  output snapshot_t id_o [CoreWidth],
  output logic [CoreWidth-1:0] full_o,
  input  lq_idx_t lq_i [CoreWidth],                    // queue tails at the lane
  input  sq_idx_t sq_i [CoreWidth],
  input  free_ptr_t free_head_i [CoreWidth],   // free lists just after the lane
  input  free_ptr_t fp_free_head_i [CoreWidth],
  // EX: these are resolved
  input  logic [BranchPorts-1:0] done_i,
  input  snapshot_t done_id_i [BranchPorts],
  // what was recorded
  input  snapshot_t read_id_i,
  output lq_idx_t read_lq_o,
  output sq_idx_t read_sq_o,
  output free_ptr_t squash_free_head_o,        // for squash_i.snapshot
  output free_ptr_t squash_fp_free_head_o
);
  typedef struct packed {
    logic wrap;
    snapshot_t idx;
  } ptr_t;

  function automatic ptr_t add(input ptr_t a, input int unsigned n);
    add.wrap = a.wrap ^ ring_wraps(32'(a.idx), n, Branches);
    add.idx = BranchBits'(ring_sum(32'(a.idx), n, Branches));
  endfunction

  ptr_t head_q, tail_q, head_d, tail_d;
  logic [Branches-1:0] resolved_q, resolved_set, taken;
  lq_idx_t lq_q [Branches];
  sq_idx_t sq_q [Branches];
  free_ptr_t free_head_q [Branches];
  free_ptr_t fp_free_head_q [Branches];

  int unsigned used;
  assign used = ring_used(tail_q.wrap == head_q.wrap, 32'(head_q.idx), 32'(tail_q.idx), Branches);

  // ---- dispatch ----
  ptr_t after [CoreWidth];
  always_comb begin
    automatic int unsigned n = 0;
    /* verilator lint_off UNUSEDSIGNAL */  // its wrap bit has no say
    automatic ptr_t slot;
    /* verilator lint_on UNUSEDSIGNAL */
    for (int i = 0; i < CoreWidth; i++) begin
      slot = add(tail_q, n);
      id_o[i] = slot.idx;
      full_o[i] = want_i[i] && used + n >= Branches;
      if (want_i[i]) n++;
      after[i] = add(tail_q, n);
    end
  end

  // A wrong branch's number is live in the squash cycle: nothing is freed before the tail has come back to it.
  ptr_t squash_tail;
  always_comb begin
    squash_tail.idx = squash_i.snapshot;
    squash_tail.wrap = head_q.wrap ^ (squash_i.snapshot < head_q.idx);
    tail_d = tail_q;
    taken = '0;
    for (int i = 0; i < CoreWidth; i++)
      if (fire_i[i]) begin
        tail_d = after[i];
        if (want_i[i]) taken[id_o[i]] = 1'b1;
      end
    if (squash_i.valid) tail_d = squash_i.all ? head_q : add(squash_tail, 1);
  end

  always_comb begin
    resolved_set = '0;
    for (int p = 0; p < BranchPorts; p++) if (done_i[p]) resolved_set[done_id_i[p]] = 1'b1;
  end

  always_comb begin
    automatic logic go = !squash_i.valid;
    head_d = head_q;
    for (int i = 0; i < CoreWidth; i++) begin
      go = go && head_d != tail_q && resolved_q[head_d.idx];
      if (go) head_d = add(head_d, 1);
    end
  end

  always_ff @(posedge clk_i) begin
    if (!rst_ni) begin
      head_q <= '0;
      tail_q <= '0;
    end else begin
      head_q <= head_d;
      tail_q <= tail_d;
      resolved_q <= (resolved_q | resolved_set) & ~taken;
    end
    for (int i = 0; i < CoreWidth; i++)
      if (fire_i[i] && want_i[i]) begin
        lq_q[id_o[i]] <= lq_i[i];
        sq_q[id_o[i]] <= sq_i[i];
        free_head_q[id_o[i]] <= free_head_i[i];
        fp_free_head_q[id_o[i]] <= fp_free_head_i[i];
      end
  end

  assign read_lq_o = lq_q[read_id_i];
  assign read_sq_o = sq_q[read_id_i];
  assign squash_free_head_o = free_head_q[squash_i.snapshot];
  assign squash_fp_free_head_o = fp_free_head_q[squash_i.snapshot];

  `include "assert.svh"
  `ASSERT(NeverOverfull, used <= Branches)
endmodule
