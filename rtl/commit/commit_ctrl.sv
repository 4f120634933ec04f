// Decides what leaves the ROB in this cycle. Combinational but for the lock of the head.
//
// Up to CoreWidth of the oldest commit, in order, as far as they are done; a mispredicted branch or an instruction that
// flushes is the last of its group. An exception, an interrupt or a replay is raised by the oldest alone, in a cycle
// without commits. An instruction that has permission for a side effect (com_o.memory.nonspec) is locked: it
// completes before an interrupt is taken. Nothing commits while an ordering violation is on its way to exception_i
// (hold_i): the store that found it may be done, and the load that must begin again would leave with it. A page fault
// waits until ad_update, if present, has looked into it.
module commit_ctrl
  import config_pkg::*;
  import ring_pkg::*;
  import events_pkg::*;
  import core_pkg::*;
  import rename_pkg::*;
  import csr_effect_pkg::*;
  import rob_pkg::*;
  import commit_pkg::*;
(
  input  logic clk_i,
  input  logic rst_ni,
  // the oldest, by bank
  input  rob_idx_t head_i,
  input  logic empty_i,
  input  logic [LaneBits-1:0] oldest_i,
  input  window_t window_i [CoreWidth],
  input  exception_t exception_i,
  input  logic hold_i,                     // one more arrives in the next cycle
  input  squash_t squash_i,
  // interrupts
  input  irq_t irq_i,
  // page faults
  output logic page_fault_o,               // of the oldest
  input  fault_check_t check_i,
  // who asks to act for good
  input  rob_ref_t nonspec_i,
  // what leaves
  output lanes_t commit_o,                 // by bank
  output retire_t retire_o [CoreWidth],    // in age order
  output commit_t com_o,
  output word_t next_pc_o,                 // address after the oldest
  // the oldest is raised
  output raise_t raise_o,
  output psv_t raise_psv_o                 // its vector then
);
  typedef logic [LaneBits-1:0] bank_t;

  logic locked_q, granted, at_head, head_valid, again, denied, interrupt, replay, raise, flush;
  cause_t cause;
  count_t count, loads, stores;
  ftq_idx_t ftq;
  assign head_valid = !empty_i;
  assign at_head = exception_i.valid && exception_i.rob == head_i && head_valid;
  assign page_fault_o = at_head && !exception_i.replay &&
      (exception_i.cause == CauseInsnPage || exception_i.cause == CauseLoadPage || exception_i.cause == CauseStorePage);
  assign again = page_fault_o && check_i.again && !check_i.hold;
  assign denied = page_fault_o && check_i.denied;
  assign interrupt = irq_i.valid && head_valid && !locked_q && !irq_i.locked && !check_i.locked;
  assign replay = at_head && (exception_i.replay || again) && !interrupt;
  assign raise = interrupt || (at_head && !(page_fault_o && check_i.hold));
  always_comb begin
    cause = exception_i.cause;
    if (denied)
      case (exception_i.cause)
        CauseInsnPage: cause = CauseInsnAccess;
        CauseLoadPage: cause = CauseLoadAccess;
        default: cause = CauseStoreAccess;
      endcase
    if (interrupt) cause = irq_i.cause;
  end
  assign raise_o = '{valid: raise, irq: interrupt, replay: replay, cause: cause,
                     tval: interrupt ? '0 : exception_i.tval, epc: window_i[oldest_i].pc};
  assign next_pc_o = window_i[oldest_i].pc + (window_i[oldest_i].info.rvc ? 64'd2 : 64'd4);

  always_comb begin
    raise_psv_o = window_i[oldest_i].psv;
    if (!replay) raise_psv_o[EvFlEx] = 1'b1;
    else if (!again) begin
      raise_psv_o[EvFlMo] = 1'b1;
      if (exception_i.cause == ReplaySnoop) raise_psv_o |= PsvFlCoh;
    end
  end

  assign granted = nonspec_i.valid && head_valid && nonspec_i.rob == head_i && !raise;

  always_ff @(posedge clk_i)
    if (!rst_ni || raise || count != '0) locked_q <= 1'b0;
    else if (granted) locked_q <= 1'b1;

  // ---- the group ----
  assign com_o = '{head: head_i, any: commit_o != '0, count: count,
                   memory: '{loads: loads, stores: stores, nonspec: granted}, ftq: ftq, flush: flush};
  always_comb begin
    automatic logic go = !raise && !hold_i;
    automatic bank_t bank = oldest_i;
    commit_o = '0;
    count = '0;
    loads = '0;
    stores = '0;
    flush = 1'b0;
    ftq = window_i[oldest_i].info.ftq;
    for (int k = 0; k < CoreWidth; k++) begin
      // A younger one that must raise its exception waits until it is the oldest.
      go = go && window_i[bank].valid && window_i[bank].done &&
           !(exception_i.valid && exception_i.rob == rob_add(head_i, k));
      commit_o[bank] = go;
      retire_o[k].pd_valid = go && window_i[bank].info.pd_valid;
      retire_o[k].rd = window_i[bank].info.rd;
      retire_o[k].pd = window_i[bank].info.pd;
      retire_o[k].old_pd = window_i[bank].info.old_pd;
      retire_o[k].is_fp = go && window_i[bank].info.is_fp;
      retire_o[k].is_load = go && window_i[bank].info.is_load;
      retire_o[k].is_store = go && window_i[bank].info.is_store;
      if (go) begin
        count = count_t'(k + 1);
        if (window_i[bank].info.is_load) loads = loads + count_t'(1);
        if (window_i[bank].info.is_store) stores = stores + count_t'(1);
        ftq = window_i[bank].info.ftq;
        flush = window_i[bank].info.flush;
      end
      go = go && !window_i[bank].mispredict && !window_i[bank].info.flush;
      bank = bank_t'(ring_sum(32'(bank), 1, CoreWidth));
    end
  end

  `include "assert.svh"
  `ASSERT(FlushIsAlone, !flush || count == count_t'(1))
  `ASSERT(EmptyAfterFlush, !(squash_i.valid && squash_i.all) || empty_i)
endmodule
