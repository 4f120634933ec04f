// Commit: the ROB, what its oldest instructions do, and what observers see of it.
//
//   dispatch ------> rob --window of the oldest--> commit_ctrl --> com_o, retire_o: they leave
//   completions -->   ^                             ^       +----> raise_o: exception, interrupt, replay
//   exceptions --> exception_reg -------------------+       +----> order_o: squash, fetch restarts at pc
//                                                  window, raise_o --> window_psv --> bundle_o
//
// Latency: what completes or fails in cycle t leaves in t+1 at the earliest; all outputs to the left of registers
// elsewhere are combinational. Invariant: in a cycle with raise_o nothing leaves, and after one the ROB is empty.
module commit_stage
  import config_pkg::*;
  import core_pkg::*;
  import events_pkg::*;
  import mmu_pkg::*;
  import records_pkg::*;
  import port_pkg::*;
  import rename_pkg::*;
  import dispatch_pkg::*;
  import csr_effect_pkg::*;
  import rob_pkg::*;
  import commit_pkg::*;
(
  input  logic clk_i,
  input  logic rst_ni,
  input  squash_t squash_i,
  // dispatch
  input  lanes_t valid_i,                       // decode registers
  input  word_t pc_i [CoreWidth],
  input  logic [31:0] insn_i [CoreWidth],
  input  dispatch_t dis_i,
  input  rob_entry_t entry_i [CoreWidth],
  output rob_room_t room_o,
  // completion
  input  rob_ref_t done_i [PlainDones],         // of all but memory; the first BranchPorts are those of resolve_i
  input  exception_t serial_exception_i,
  input  mem_done_t mem_done_i [2*MemPorts],
  input  mem_event_t event_i [MemEvents],       // of instructions that complete later, or never
  input  resolve_t resolve_i [BranchPorts],
  // loads that begin again; permission to act for good
  input  lsu_asks_t asks_i,
  // interrupts, page faults of the oldest instruction
  input  irq_t irq_i,
  output page_fault_t fault_o,
  input  fault_check_t check_i,
  // what leaves; retire_o in age order
  output commit_t com_o,
  output retire_t retire_o [CoreWidth],
  output raise_t raise_o,
  // where fetch goes on
  input  resume_t resume_i,
  output head_order_t order_o,
  // observers
  input  seen_t seen_i,
  output commit_bundle_t bundle_o
);
  localparam int unsigned OffsetBits = $clog2(2 * FetchWidth);
  localparam int unsigned ExcSources = 2 + 2 * MemPorts;
  localparam psv_t Kept = Vectors != 0 ? '1 : '0;  // without vectors the ROB stores none and no unit reads one

  // ======== what has happened ========
  logic [Dones-1:0] done;
  rob_idx_t done_rob [Dones];
  mem_event_t events [MemEvents];
  rob_entry_t entry [CoreWidth];
  exception_t failed [ExcSources], exception;
  logic [BranchPorts-1:0] mispredict;

  /* verilator lint_off UNUSEDSIGNAL */  // takes its part of it
  // not mem.valid, which is late: it goes by what the store queue says
  function automatic exception_t failure(input mem_done_t mem);
  /* verilator lint_on UNUSEDSIGNAL */
    failure = '{valid: mem.exception, rob: mem.rob, replay: 1'b0, cause: mem.cause, tval: mem.tval};
  endfunction

  always_comb begin
    for (int d = 0; d < PlainDones; d++) begin
      done[d] = done_i[d].valid;
      done_rob[d] = done_i[d].rob;
    end
    for (int d = 0; d < 2 * MemPorts; d++) begin
      done[PlainDones+d] = mem_done_i[d].valid;
      done_rob[PlainDones+d] = mem_done_i[d].rob;
    end
    for (int p = 0; p < BranchPorts; p++) mispredict[p] = resolve_i[p].mispredict;
    for (int i = 0; i < CoreWidth; i++) entry[i] = '{info: entry_i[i].info, psv: entry_i[i].psv & Kept & PsvEntering};
  end

  always_comb begin
    failed[0] = serial_exception_i;
    failed[1] = '{valid: asks_i.violation.valid, rob: asks_i.violation.rob, replay: 1'b1,
                  cause: asks_i.violation.snooped ? ReplaySnoop : ReplayOrder, tval: '0};
    for (int d = 0; d < 2 * MemPorts; d++) failed[2+d] = failure(mem_done_i[d]);
    for (int e = 0; e < MemEvents; e++) begin
      events[e] = event_i[e];
      events[e].psv &= PsvInside;
      if (Vectors == 0) events[e].valid = 1'b0;
    end
  end

  exception_reg #(.Sources(ExcSources)) u_exception_reg (
    .clk_i, .rst_ni, .squash_i, .source_i(failed), .exception_o(exception)
  );

  // ======== the ROB; its oldest, by bank ========
  window_t kept [CoreWidth], window [CoreWidth];  // kept: in the ROB, whose other bits nobody sets nor reads
  lanes_t win_valid, win_done, win_mispredict;
  psv_t win_psv [CoreWidth];
  logic [LaneBits-1:0] oldest;
  rob_idx_t head;

  rob u_rob (
    .clk_i, .rst_ni, .squash_i,
    .room_o, .fire_i(dis_i.fire), .fire_count_i(dis_i.count),
    .pc_i, .insn_i, .entry_i(entry),
    .done_i(done), .done_rob_i(done_rob), .mispredict_i(mispredict),
    .event_i(events), .keep_i(seen_i.vectors),
    .head_o(head), .oldest_o(oldest),
    .window_o(kept),
    .commit_count_i(com_o.count), .clear_i(order_o.valid)
  );
  always_comb
    for (int i = 0; i < CoreWidth; i++) begin
      window[i] = kept[i];
      window[i].psv &= Kept & (PsvEntering | PsvInside);
    end

  // ======== what leaves ========
  lanes_t commit;
  word_t next_pc;
  psv_t raise_psv;

  commit_ctrl u_commit_ctrl (
    .clk_i, .rst_ni,
    .head_i(head), .empty_i(room_o.empty), .oldest_i(oldest), .window_i(window), .exception_i(exception),
    .hold_i(asks_i.violation.valid), .squash_i, .irq_i,
    .page_fault_o(fault_o.valid), .check_i, .nonspec_i(asks_i.nonspec),
    .commit_o(commit), .retire_o, .com_o, .next_pc_o(next_pc), .raise_o, .raise_psv_o(raise_psv)
  );
  assign fault_o.cause = exception.cause;
  assign fault_o.tval = exception.tval;

  assign order_o.valid = raise_o.valid || com_o.flush;
  assign order_o.rob = head;
  assign order_o.pc = raise_o.replay ? raise_o.epc : raise_o.valid ? resume_i.trap_pc :
                      resume_i.returns ? resume_i.return_pc : next_pc;
  assign order_o.ftq = com_o.ftq;
  logic [OffsetBits-1:0] last_parcel;
  assign last_parcel = window[oldest].pc[OffsetBits-1:0] + (window[oldest].info.rvc ? OffsetBits'(0) : OffsetBits'(2));
  assign order_o.offset = 6'(last_parcel);
  assign order_o.fence_i = com_o.flush && resume_i.fence_i;

  // ======== what observers see ========
  logic [CoreWidth-1:0][PsvBits-1:0] seen_psv;
  window_psv u_window_psv (
    .valid_i(win_valid), .done_i(win_done), .mispredict_i(win_mispredict), .psv_i(win_psv),
    .raise_i(raise_o.valid), .oldest_i(oldest), .raise_psv_i(raise_psv),
    .mispredict_o(bundle_o.mispredict), .psv_o(seen_psv)
  );

  for (genvar i = 0; i < CoreWidth; i++) begin : gen_lane
    assign win_valid[i] = window[i].valid;
    assign win_done[i] = window[i].done;
    assign win_mispredict[i] = window[i].mispredict;
    assign win_psv[i] = window[i].psv;

    always_comb begin
      bundle_o.psv[i] = seen_psv[i] & Kept;
      bundle_o.flush[i] = win_valid[i] && window[i].info.flush;
      bundle_o.pc[i] = win_valid[i] ? window[i].pc : '0;
      bundle_o.insn[i] = win_valid[i] ? window[i].insn : '0;
      bundle_o.dispatch_pc[i] = valid_i[i] ? pc_i[i] : '0;
    end
  end

  always_comb begin
    bundle_o.valid = win_valid;
    bundle_o.commit = commit;
    bundle_o.first = win_valid;
    bundle_o.oldest = oldest;
    bundle_o.rob_empty = room_o.empty;
    bundle_o.exception = raise_o.valid;
    bundle_o.interrupt = raise_o.irq;
    bundle_o.replay = raise_o.replay;
    bundle_o.cause = raise_o.valid && !raise_o.replay ? raise_o.cause : '0;
    bundle_o.exception_pc = raise_o.valid ? raise_o.epc : '0;
    bundle_o.exception_psv = raise_o.valid ? raise_psv & Kept : '0;
    bundle_o.priv = seen_i.priv;
    bundle_o.space = seen_i.space;
    bundle_o.redirect = squash_i.valid;  // the front end's order comes in the same cycle
    bundle_o.fetch_valid = seen_i.fetch_valid;
    bundle_o.fetch_pc = seen_i.fetch_pc;
    bundle_o.dispatch_valid = dis_i.fire;
    bundle_o.dispatch_rob = room_o.place[0];
  end

  `include "assert.svh"
  // Observers see why the pipeline is emptied: an exception, or an instruction that flushes.
  `ASSERT(OrderIsSeen, order_o.valid == (bundle_o.exception || (bundle_o.commit & bundle_o.flush) != '0))
  `ASSERT(NothingLeavesInRaise, !raise_o.valid || !com_o.any)
  // A load that has broken the order is found while the store that finds it is still here: it is never the oldest
  // before commit_ctrl knows of it, and in the cycle between nothing leaves.
  logic [2*MemPorts-1:0] failed_alone;
  for (genvar d = 0; d < 2 * MemPorts; d++) begin : gen_failed
    assign failed_alone[d] = mem_done_i[d].exception && !mem_done_i[d].valid;
  end
  `ASSERT(FailsWhenDone, failed_alone == '0)
  `ASSERT(ViolationIsBehind, !asks_i.violation.valid || rob_killed(squash_i, asks_i.violation.rob) ||
                             (!room_o.empty && rob_older(head, asks_i.violation.rob)))
  `ASSERT(HeldForViolation, !asks_i.violation.valid || !com_o.any)
endmodule
