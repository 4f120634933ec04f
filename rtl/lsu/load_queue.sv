// Load queue: every load from dispatch to commit, in program order.
//
// Keeps what a retry needs, why a load sleeps, and what a store, or a snoop of another hart, needs to find loads that
// ran ahead: of that store, or of an older load.
// Invariant: the flags of entries outside [head, tail) are zero, so no search needs a valid mask.
//
//      dispatch -> (in flight in EX, M1) -> done -> commit
//                        |    ^
//                        v    | picked, oldest first
//            asleep: miss, full, store, device -> ready
//
// Latency: a wake in cycle t makes the load ready for EX in t+1; a load that a store finds in its M1 is reported in the
// cycle after it (violation_o, a register: the search fills a cycle by itself). One that has slept for a line that the
// bus answered with an error (refill_i.error) is retried as an access fault; the rest ask for the line again.
module load_queue
  import config_pkg::*;
  import ring_pkg::*;
  import core_pkg::*;
  import dcache_pkg::*;
  import lsu_pkg::*;
(
  input  logic clk_i,
  input  logic rst_ni,
  input  squash_t squash_i,
  // dispatch and commit
  input  logic [CoreWidth-1:0] dis_load_i,
  input  logic [CoreWidth-1:0] dis_fire_i,
  input  rob_idx_t dis_rob_i [CoreWidth],
  output lq_idx_t dis_lq_o [CoreWidth],
  output logic [CoreWidth-1:0] dis_full_o,
  input  logic [$clog2(CoreWidth+1)-1:0] com_loads_i,
  output access_t [CoreWidth-1:0] left_o,     // those of com_loads_i
  // EX: first execution
  input  load_ask_t ex_i [MemPorts],
  input  logic [MemPorts-1:0] ex_bump_i,      // its port was taken away: ready at once
  // EX: retries, oldest first
  output load_ask_t pick_o [MemPorts],
  input  logic [MemPorts-1:0] pick_take_i,
  // M1: how loads end
  input  load_result_t res_i [MemPorts],
  output load_met_t met_o,
  input  logic keep_i,                        // what loads miss is kept for vectors (vector_gate)
  // wakes
  input  refill_t refill_i,
  input  sq_ref_t free_i,                     // a store left the store queue
  input  store_ex_t st_ex_i [MemPorts],       // a store's data arrive
  // the oldest load, if it waits for its device
  output load_ask_t dev_o,
  input  logic dev_start_i,
  // M1: stores look for younger loads that have their data already; another hart may write the line of some
  input  store_search_t search_i [MemPorts],
  /* verilator lint_off UNUSEDSIGNAL */  // of one hart
  input  lost_t lost_i,
  /* verilator lint_on UNUSEDSIGNAL */
  output violation_t violation_o              // a cycle later: the oldest of them
);
  localparam int unsigned IdxBits = LqBits - 1;

  lq_idx_t head_q, tail_q, tail_d;
  lq_vec_t done_q, ready_q, miss_q, full_q, store_q, device_q, fwd_q, error_q;
  word_t addr_q [LqEntries];
  logic [7:0] mask_q [LqEntries];
  load_info_t info_q [LqEntries];
  rob_idx_t rob_q [LqEntries];
  mshr_t mshr_q [LqEntries];      // miss_q: the one waited for
  sq_idx_t sq_q [LqEntries];      // store_q: the one waited for; fwd_q: the one the data came from

  // ---- dispatch ----
  always_comb begin
    automatic int unsigned used = lq_used(head_q, tail_q);
    automatic int unsigned ahead = 0;
    for (int i = 0; i < CoreWidth; i++) begin
      dis_lq_o[i] = lq_add(tail_q, ahead);
      dis_full_o[i] = dis_load_i[i] && used + ahead >= LqEntries;
      if (dis_load_i[i]) ahead++;
    end
  end

  // Apart from the above: what fires depends on what is full.
  always_comb begin
    tail_d = tail_q;
    for (int i = 0; i < CoreWidth; i++) if (dis_load_i[i] && dis_fire_i[i]) tail_d = lq_add(dis_lq_o[i], 1);
    if (squash_i.valid) tail_d = squash_i.all ? head_q : squash_i.lq_tail;
  end

  // ---- entries that leave: commit and squash ----
  lq_vec_t dies, gone;
  lq_idx_t head_d;
  always_comb begin
    head_d = lq_add(head_q, 32'(com_loads_i));
    dies = '0;
    if (squash_i.valid) dies = squash_i.all ? '1 : lq_range(squash_i.lq_tail, tail_q);
    gone = dies;
    if (com_loads_i != '0) gone |= lq_range(head_q, head_d);
  end

  always_comb begin
    automatic logic [IdxBits-1:0] at = head_q.idx;
    left_o = '0;
    for (int i = 0; i < CoreWidth; i++)
      if (32'(com_loads_i) > i) begin
        left_o[i] = '{reads: !info_q[at].hint, writes: 1'b0, addr: addr_q[at], data: '0, size: info_q[at].size};
        at = IdxBits'(ring_sum(32'(at), 1, LqEntries));
      end
  end

  // ---- retries ----
  logic [MemPorts-1:0] pick_valid;
  logic [IdxBits-1:0] pick_idx [MemPorts];
  first_in_ring #(.Entries(LqEntries), .Count(MemPorts)) u_pick (.set_i(ready_q), .from_i(head_q.idx),
                                                                 .valid_o(pick_valid), .idx_o(pick_idx));

  always_comb begin
    automatic logic [IdxBits-1:0] idx;
    for (int p = 0; p < MemPorts; p++) begin
      idx = pick_idx[p];
      pick_o[p].valid = pick_valid[p];
      pick_o[p].error = error_q[idx];
      pick_o[p].addr = error_q[idx] ? virtual_address(addr_q[idx], info_q[idx]) : addr_q[idx];
      pick_o[p].info = info_q[idx];
    end
  end

  lq_vec_t taken;
  always_comb begin
    taken = '0;
    for (int p = 0; p < MemPorts; p++) if (pick_take_i[p] && pick_valid[p]) taken[pick_idx[p]] = 1'b1;
  end

  // ---- how loads end, and wakes ----
  // A load that met this store may find more now.
  function automatic logic store_moves(input sq_idx_t sq);
    store_moves = free_i.valid && free_i.sq == sq;
    for (int p = 0; p < MemPorts; p++) if (st_ex_i[p].has_data && st_ex_i[p].sq == sq) store_moves = 1'b1;
  endfunction

  lq_vec_t done_set, ready_set, miss_set, full_set, store_set, device_set, fwd_set, error_set;
  always_comb begin
    done_set = '0;
    error_set = '0;
    ready_set = '0;
    miss_set = '0;
    full_set = '0;
    store_set = '0;
    device_set = '0;
    fwd_set = '0;
    // Sleepers whose reason ends in this cycle.
    if (refill_i.valid && miss_q != '0)
      for (int i = 0; i < LqEntries; i++)
        if (miss_q[i] && mshr_q[i] == refill_i.id) begin
          ready_set[i] = 1'b1;
          error_set[i] = refill_i.error;
        end
    if (refill_i.valid) ready_set |= full_q;
    if (store_q != '0)
      for (int i = 0; i < LqEntries; i++) if (store_q[i] && store_moves(sq_q[i])) ready_set[i] = 1'b1;
    // Loads in M1. A reason that ends in this very cycle makes them ready instead of asleep.
    for (int p = 0; p < MemPorts; p++) begin
      if (res_i[p].valid) begin
        case (res_i[p].result)
          RES_DONE: begin
            done_set[res_i[p].lq.idx] = 1'b1;
            fwd_set[res_i[p].lq.idx] = res_i[p].fwd;
          end
          RES_MISS:
            if (refill_i.valid && refill_i.id == res_i[p].mshr) ready_set[res_i[p].lq.idx] = 1'b1;
            else miss_set[res_i[p].lq.idx] = 1'b1;
          RES_FULL:
            if (refill_i.valid) ready_set[res_i[p].lq.idx] = 1'b1;
            else full_set[res_i[p].lq.idx] = 1'b1;
          RES_STORE:
            if (store_moves(res_i[p].sq)) ready_set[res_i[p].lq.idx] = 1'b1;
            else store_set[res_i[p].lq.idx] = 1'b1;
          RES_DEVICE: device_set[res_i[p].lq.idx] = 1'b1;
          default: ready_set[res_i[p].lq.idx] = 1'b1;
        endcase
      end
      if (ex_i[p].valid && ex_bump_i[p]) ready_set[ex_i[p].info.lq.idx] = 1'b1;
    end
  end

  lq_vec_t comes;  // the line of this refill is theirs
  always_comb begin
    comes = '0;
    if (refill_i.valid && (refill_i.llc || refill_i.peer))
      for (int i = 0; i < LqEntries; i++) comes[i] = !done_q[i] && line_of(addr_q[i]) == refill_i.line;
  end

  load_met u_met (
    .clk_i, .rst_ni, .res_i, .refill_i, .keep_i, .head_i(head_q), .rob_i(rob_q[head_q.idx]), .comes_i(comes),
    .head_dies_i(dies[head_q.idx]), .gone_i(gone), .met_o
  );

  lq_vec_t device_clr;
  always_comb begin
    device_clr = '0;
    if (dev_start_i) device_clr[head_q.idx] = 1'b1;
  end

  // ---- ordering violations ----
  lq_vec_t ahead, stale, found;
  logic snooped;                  // no store has found the oldest
  always_comb begin
    ahead = '0;
    for (int p = 0; p < MemPorts; p++)
      if (search_i[p].valid && done_q != '0)
        for (int i = 0; i < LqEntries; i++)
          if (done_q[i] && addr_q[i][63:3] == search_i[p].addr[63:3] && (mask_q[i] & search_i[p].info.mask) != 8'd0 &&
              rob_older(search_i[p].info.rob, rob_q[i]) && !(fwd_q[i] && sq_older(search_i[p].info.sq, sq_q[i])))
            ahead[i] = 1'b1;
    found = (ahead | stale) & ~dies;
  end

  // The line is lost at the end of cycle t, lost_i comes in t+1: a load that is done has its data from before, one with
  // its M1 in t+1 or later from after. So one that is done while an older one is not has older data than that will
  // have. It has not left by t+2, when it is reported and commit is held: the older load completes in t+1 at the
  // earliest, and leaves before it, in t+2 at the earliest. What a store has forwarded is looked at like the rest:
  // where the older load comes after the store, the store may be in the cache, and be overwritten, before that load
  // gets its data; where it comes before the store, a replay is one too many, but no load knows its place among stores
  // before it executes. A hint's mask is zero. With lsu.load_order = 1 it waits for an older load of its bytes.
  if (HartsCoherent != 0) begin : gen_snooped
    lq_idx_t undone;   // the oldest
    lq_vec_t behind, early;
    always_comb begin
      undone.idx = lq_oldest(~done_q, head_q);
      undone.wrap = head_q.wrap ^ (undone.idx < head_q.idx);
      behind = done_q == '1 ? '0 : lq_range(undone, '{wrap: !head_q.wrap, idx: head_q.idx});
      early = '0;
      if (lost_i.valid && done_q != '0)
        for (int i = 0; i < LqEntries; i++)
          early[i] = behind[i] && done_q[i] && mask_q[i] != 8'd0 && line_of(addr_q[i]) == lost_i.line;
    end
    if (LoadOrder != 0) begin : gen_marks
      lq_vec_t same [MemPorts];  // has bytes of the load in M1
      always_comb
        for (int p = 0; p < MemPorts; p++) begin
          automatic logic [IdxBits-1:0] at = res_i[p].lq.idx;
          for (int i = 0; i < LqEntries; i++)
            same[p][i] = addr_q[i][63:3] == addr_q[at][63:3] && (mask_q[i] & mask_q[at]) != 8'd0;
        end
      load_order u_load_order (
        .clk_i, .rst_ni, .early_i(early), .res_i, .same_i(same), .done_i(done_q), .gone_i(gone), .fwd_i(fwd_q),
        .info_i(info_q), .rob_i(rob_q), .sq_i(sq_q), .found_o(stale)
      );
    end else begin : gen_at_once
      assign stale = early;
    end
    assign snooped = !ahead[lq_oldest(found, head_q)];
  end else begin : gen_alone
    assign stale = '0;
    assign snooped = 1'b0;
  end

  always_ff @(posedge clk_i) begin
    violation_o.valid <= rst_ni && found != '0;
    if (found != '0) violation_o.rob <= rob_q[lq_oldest(found, head_q)];
    violation_o.snooped <= snooped;
  end

  assign dev_o.valid = device_q[head_q.idx];
  assign dev_o.error = 1'b0;
  assign dev_o.addr = addr_q[head_q.idx];
  assign dev_o.info = info_q[head_q.idx];

  // ---- state ----
  always_ff @(posedge clk_i) begin
    if (!rst_ni) begin
      head_q <= '0;
      tail_q <= '0;
      done_q <= '0;
      ready_q <= '0;
      miss_q <= '0;
      full_q <= '0;
      store_q <= '0;
      device_q <= '0;
      fwd_q <= '0;
      error_q <= '0;
    end else begin
      head_q <= head_d;
      tail_q <= tail_d;
      done_q <= (done_q | done_set) & ~gone;
      ready_q <= (ready_q & ~taken | ready_set) & ~gone;
      miss_q <= (miss_q & ~ready_set | miss_set) & ~gone;
      full_q <= (full_q & ~ready_set | full_set) & ~gone;
      store_q <= (store_q & ~ready_set | store_set) & ~gone;
      device_q <= (device_q & ~device_clr | device_set) & ~gone;
      fwd_q <= (fwd_q | fwd_set) & ~gone;
      error_q <= (error_q | error_set) & ~gone;
    end
  end

  always_ff @(posedge clk_i) begin
    for (int i = 0; i < CoreWidth; i++) if (dis_load_i[i] && dis_fire_i[i]) rob_q[dis_lq_o[i].idx] <= dis_rob_i[i];
    for (int p = 0; p < MemPorts; p++) begin
      if (ex_i[p].valid) begin
        addr_q[ex_i[p].info.lq.idx] <= ex_i[p].addr;
        // A hint has no data that a store could make stale.
        mask_q[ex_i[p].info.lq.idx] <= ex_i[p].info.hint ? 8'd0 : byte_mask(ex_i[p].info.size, ex_i[p].addr[2:0]);
        info_q[ex_i[p].info.lq.idx] <= ex_i[p].info;
      end
      if (res_i[p].valid) begin
        mshr_q[res_i[p].lq.idx] <= res_i[p].mshr;
        sq_q[res_i[p].lq.idx] <= res_i[p].sq;
      end
    end
  end
endmodule
