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

  ptr_t head [CoreWidth+1], tail [CoreWidth+1];  // n places on
  ptr_t head_q, tail_q;
  count_t taking, leaving;
  assign head_q = head[0];
  assign tail_q = tail[0];
  logic [Branches-1:0] resolved_q, resolved_set, taken;
  lq_idx_t lq_q [Branches];
  sq_idx_t sq_q [Branches];
  free_ptr_t free_head_q [Branches];
  free_ptr_t fp_free_head_q [Branches];

  int unsigned used;
  assign used = ring_used(tail_q.wrap == head_q.wrap, 32'(head_q.idx), 32'(tail_q.idx), Branches);

  // ---- dispatch ----
  always_comb begin
    automatic int unsigned n = 0;
    for (int i = 0; i < CoreWidth; i++) begin
      id_o[i] = tail[n].idx;
      full_o[i] = want_i[i] && used + n >= Branches;
      if (want_i[i]) n++;
    end
  end

  // A wrong branch's number is live in the squash cycle: nothing is freed before the tail has come back to it.
  ptr_t squash_tail;
  always_comb begin
    squash_tail.idx = snapshot_t'(ring_sum(32'(squash_i.snapshot), 1, Branches));
    squash_tail.wrap = head_q.wrap ^ (squash_i.snapshot < head_q.idx) ^
                       ring_wraps(32'(squash_i.snapshot), 1, Branches);
    taken = '0;
    taking = '0;
    for (int i = 0; i < CoreWidth; i++)
      if (fire_i[i] && want_i[i]) begin
        taken[id_o[i]] = 1'b1;
        taking = taking + count_t'(1);
      end
  end
  ring_ptr #(.Size(Branches), .Most(CoreWidth)) u_tail (
    .clk_i, .rst_ni, .put_i(squash_i.valid), .put_at_i(squash_i.all ? head_q : squash_tail), .step_i(taking),
    .at_o(tail)
  );

  always_comb begin
    resolved_set = '0;
    for (int p = 0; p < BranchPorts; p++) if (done_i[p]) resolved_set[done_id_i[p]] = 1'b1;
  end

  always_comb begin
    automatic logic go = !squash_i.valid;
    leaving = '0;
    for (int i = 0; i < CoreWidth; i++) begin
      go = go && head[i] != tail_q && resolved_q[head[i].idx];
      if (go) leaving = leaving + count_t'(1);
    end
  end
  ring_ptr #(.Size(Branches), .Most(CoreWidth)) u_head (
    .clk_i, .rst_ni, .put_i(1'b0), .put_at_i('0), .step_i(leaving), .at_o(head)
  );

  always_ff @(posedge clk_i) begin
    if (rst_ni) resolved_q <= (resolved_q | resolved_set) & ~taken;
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
