// Rules that the load queue's users keep, and that it keeps itself: bound to it in every simulation.
//
// The proof of a load's events takes the users' rules for granted (tests/formal/psv_load_proof.sv). Beyond that: a load
// completes once, and the MSHR that it sleeps for brings its line.
module load_queue_rules
  import config_pkg::*;
  import core_pkg::*;
  import dcache_pkg::*;
  import lsu_pkg::*;
(
  input  logic clk_i,
  input  logic rst_ni,
  input  squash_t squash_i,
  input  logic [CoreWidth-1:0] dis_load_i,
  input  logic [CoreWidth-1:0] dis_fire_i,
  input  rob_idx_t dis_rob_i [CoreWidth],
  input  logic [CoreWidth-1:0] dis_full_i,
  input  logic [$clog2(CoreWidth+1)-1:0] com_loads_i,
  input  load_ask_t ex_i [MemPorts],
  input  load_result_t res_i [MemPorts],
  input  logic dev_start_i,
  input  refill_t refill_i,
  input  logic keep_i,
  // the queue
  input  lq_idx_t head_i,
  input  lq_idx_t tail_i,
  input  lq_idx_t head_next_i,
  input  lq_vec_t dies_i,           // squashed in this cycle
  input  lq_vec_t gone_i,           // squashed or committed
  input  lq_vec_t done_i,
  input  lq_vec_t done_set_i,
  input  lq_vec_t miss_i,           // asleep, for the MSHR mshr_i
  input  lq_vec_t l1_i,             // has missed
  input  lq_vec_t llc_i,
  input  rob_idx_t rob_i [LqEntries],
  input  word_t addr_i [LqEntries],
  input  mshr_t mshr_i [LqEntries]
);
  lq_vec_t held, leaves, ran_q;     // ran: it has executed
  logic device_q, kept_q, bad_name, bad_squash, other_line;
  logic [MemPorts-1:0] ex_valid, ran_again, rob_matches, done_again;

  assign held = lq_range(head_i, tail_i);
  assign leaves = com_loads_i != '0 ? lq_range(head_i, head_next_i) : '0;

  always_comb begin
    bad_name = 1'b0;
    for (int i = 0; i < CoreWidth; i++)
      if (dis_load_i[i] && dis_fire_i[i]) begin
        bad_name |= dis_full_i[i];
        for (int k = 0; k < LqEntries; k++) if (held[k] && rob_i[k] == dis_rob_i[i]) bad_name = 1'b1;
        for (int j = 0; j < i; j++) if (dis_rob_i[j] == dis_rob_i[i]) bad_name = 1'b1;
      end
  end

  always_comb begin
    bad_squash = 1'b0;
    if (squash_i.valid && squash_i.all) bad_squash = com_loads_i != '0;
    else if (squash_i.valid) begin
      bad_squash = lq_used(head_i, squash_i.lq_tail) > lq_used(head_i, tail_i) ||
                   lq_used(head_i, squash_i.lq_tail) < 32'(com_loads_i);
      for (int i = 0; i < LqEntries; i++) if (held[i] && killed(squash_i, rob_i[i]) != dies_i[i]) bad_squash = 1'b1;
    end
  end

  always_comb begin
    other_line = 1'b0;
    if (refill_i.valid && miss_i != '0)
      for (int i = 0; i < LqEntries; i++)
        if (miss_i[i] && (mshr_i[i] == refill_i.id) != (line_of(addr_i[i]) == refill_i.line)) other_line = 1'b1;
  end

  always_comb
    for (int p = 0; p < MemPorts; p++) begin
      ex_valid[p] = ex_i[p].valid;
      rob_matches[p] = rob_i[ex_i[p].info.lq.idx] == ex_i[p].info.rob;
      done_again[p] = res_i[p].valid && done_i[res_i[p].lq.idx];
      ran_again[p] = !held[ex_i[p].info.lq.idx] || ran_q[ex_i[p].info.lq.idx] || killed(squash_i, ex_i[p].info.rob) ||
                     ex_i[p].info.lq.wrap != (head_i.wrap ^ (ex_i[p].info.lq.idx < head_i.idx));
      for (int q = 0; q < p; q++) if (ex_valid[q] && ex_i[q].info.lq.idx == ex_i[p].info.lq.idx) ran_again[p] = 1'b1;
    end

  always_ff @(posedge clk_i) kept_q <= keep_i || !rst_ni || VectorWindow == 0 || ProfileTags != 0;

  always_ff @(posedge clk_i)
    if (!rst_ni) begin
      ran_q <= '0;
      device_q <= 1'b0;
    end else begin
      for (int p = 0; p < MemPorts; p++) if (ex_valid[p]) ran_q[ex_i[p].info.lq.idx] <= 1'b1;
      for (int i = 0; i < LqEntries; i++) if (gone_i[i]) ran_q[i] <= 1'b0;
      device_q <= dev_start_i || (device_q && !done_set_i[head_i.idx]);
    end

  `include "assert.svh"
  `ASSERT(RobMatches, (ex_valid & ~rob_matches) == '0)
  `ASSERT(OnceDone, done_again == '0)
  `ASSERT(OnceExecuted, (ex_valid & ran_again) == '0)
  `ASSERT(NamesApart, !bad_name)
  `ASSERT(NoDispatchInSquash, !(squash_i.valid && dis_fire_i != '0))
  `ASSERT(SquashAgrees, !bad_squash)  // the same loads die by their place here and in the ROB
  `ASSERT(DeviceLoadLives, !(device_q && dies_i[head_i.idx]))
  `ASSERT(CommitsDone, (leaves & ~done_i) == '0 && 32'(com_loads_i) <= lq_used(head_i, tail_i))
  `ASSERT(MshrBringsLine, !other_line)
  `ASSERT(RestsWhileShut, kept_q || (l1_i | llc_i) == '0)
endmodule

bind load_queue load_queue_rules u_rules (
  .clk_i(clk_i), .rst_ni(rst_ni), .squash_i(squash_i), .dis_load_i(dis_load_i), .dis_fire_i(dis_fire_i),
  .dis_rob_i(dis_rob_i), .dis_full_i(dis_full_o), .com_loads_i(com_loads_i), .ex_i(ex_i), .res_i(res_i),
  .dev_start_i(dev_start_i), .refill_i(refill_i), .keep_i(keep_i), .head_i(head_q), .tail_i(tail_q),
  .head_next_i(head_d), .dies_i(dies), .gone_i(gone), .done_i(done_q), .done_set_i(done_set), .miss_i(miss_q),
  .l1_i(u_met.l1_q), .llc_i(u_met.llc_q | u_met.peer_q), .rob_i(rob_q), .addr_i(addr_q), .mshr_i(mshr_q)
);
