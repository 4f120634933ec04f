// Decides what leaves the ROB in this cycle. Combinational but for the lock of the head.
//
// Up to CoreWidth of the oldest commit, in order, as far as they are done; a mispredicted branch or an instruction that
// flushes is the last of its group. An exception, an interrupt or a replay is raised by the oldest alone, in a cycle
// without commits. An instruction that has been told that it may act for good (nonspec_gnt_o) is locked: it completes
// before an interrupt is taken. A page fault waits until ad_update has looked into it, if that is there.
module commit_ctrl
  import config_pkg::*;
  import events_pkg::*;
  import core_pkg::*;
  import uop_pkg::*;
(
  input  logic clk_i,
  input  logic rst_ni,
  // the oldest, by bank
  input  rob_idx_t head_i,
  input  logic empty_i,
  input  logic [LaneBits-1:0] oldest_i,
  input  logic [CoreWidth-1:0] valid_i,
  input  logic [CoreWidth-1:0] done_i,
  input  logic [CoreWidth-1:0] mispredict_i,
  input  word_t pc_i [CoreWidth],
  /* verilator lint_off UNUSEDSIGNAL */  // one struct for all rooms: this one needs what leaving takes
  input  rob_info_t info_i [CoreWidth],
  input  exception_t exception_i,
  input  squash_t squash_i,
  /* verilator lint_on UNUSEDSIGNAL */
  input  psv_t head_psv_i,
  // interrupts
  input  logic irq_i,
  input  cause_t irq_cause_i,
  input  logic serial_locked_i,
  // page faults
  output logic page_fault_o,               // of the oldest
  input  fault_check_t check_i,
  // permission to act for good
  input  logic nonspec_req_i,
  input  rob_idx_t nonspec_rob_i,
  output logic nonspec_gnt_o,
  // by bank
  output logic [CoreWidth-1:0] commit_o,
  // in age order
  output logic [CoreWidth-1:0] com_pd_valid_o,
  output areg_t com_rd_o [CoreWidth],
  output preg_t com_pd_o [CoreWidth],
  output preg_t com_old_o [CoreWidth],
  output logic [CoreWidth-1:0] com_fp_o,   // floating-point arithmetic
  // of the group
  output count_t count_o,
  output count_t loads_o,
  output count_t stores_o,
  output ftq_idx_t ftq_o,                  // of the youngest that commits, else of the oldest
  output logic flush_o,                    // the last of the group flushes
  output word_t next_pc_o,                 // address after the oldest
  // exception
  output logic raise_o,
  output logic interrupt_o,
  output logic replay_o,
  output cause_t cause_o,
  output word_t tval_o,
  output word_t epc_o,
  output psv_t raise_psv_o
);
  typedef logic [LaneBits-1:0] bank_t;

  logic locked_q, at_head, head_valid, again, denied;
  assign head_valid = !empty_i;
  assign at_head = exception_i.valid && exception_i.rob == head_i && head_valid;
  assign page_fault_o = at_head && !exception_i.replay &&
      (exception_i.cause == CauseInsnPage || exception_i.cause == CauseLoadPage || exception_i.cause == CauseStorePage);
  assign again = page_fault_o && check_i.again && !check_i.hold;
  assign denied = page_fault_o && check_i.denied;
  assign interrupt_o = irq_i && head_valid && !locked_q && !serial_locked_i && !check_i.locked;
  assign replay_o = at_head && (exception_i.replay || again) && !interrupt_o;
  assign raise_o = interrupt_o || (at_head && !(page_fault_o && check_i.hold));
  always_comb begin
    cause_o = exception_i.cause;
    if (denied)
      case (exception_i.cause)
        CauseInsnPage: cause_o = CauseInsnAccess;
        CauseLoadPage: cause_o = CauseLoadAccess;
        default: cause_o = CauseStoreAccess;
      endcase
    if (interrupt_o) cause_o = irq_cause_i;
  end
  assign tval_o = interrupt_o ? '0 : exception_i.tval;
  assign epc_o = pc_i[oldest_i];
  assign next_pc_o = epc_o + (info_i[oldest_i].rvc ? 64'd2 : 64'd4);

  always_comb begin
    raise_psv_o = head_psv_i;
    if (!replay_o) raise_psv_o[EvFlEx] = 1'b1;
    else if (!again) raise_psv_o[EvFlMo] = 1'b1;
  end

  assign nonspec_gnt_o = nonspec_req_i && head_valid && nonspec_rob_i == head_i && !raise_o;

  always_ff @(posedge clk_i)
    if (!rst_ni || raise_o || count_o != '0) locked_q <= 1'b0;
    else if (nonspec_gnt_o) locked_q <= 1'b1;

  // ---- the group ----
  always_comb begin
    automatic logic go = !raise_o;
    automatic bank_t bank = oldest_i;
    commit_o = '0;
    count_o = '0;
    loads_o = '0;
    stores_o = '0;
    flush_o = 1'b0;
    ftq_o = info_i[oldest_i].ftq;
    for (int k = 0; k < CoreWidth; k++) begin
      // A younger one that must raise its exception waits until it is the oldest.
      go = go && valid_i[bank] && done_i[bank] && !(exception_i.valid && exception_i.rob == rob_add(head_i, k));
      commit_o[bank] = go;
      com_pd_valid_o[k] = go && info_i[bank].pd_valid;
      com_rd_o[k] = info_i[bank].rd;
      com_pd_o[k] = info_i[bank].pd;
      com_old_o[k] = info_i[bank].old_pd;
      com_fp_o[k] = go && info_i[bank].is_fp;
      if (go) begin
        count_o = count_t'(k + 1);
        if (info_i[bank].is_load) loads_o = loads_o + count_t'(1);
        if (info_i[bank].is_store) stores_o = stores_o + count_t'(1);
        ftq_o = info_i[bank].ftq;
        flush_o = info_i[bank].flush;
      end
      go = go && !mispredict_i[bank] && !info_i[bank].flush;
      bank = 32'(bank) == CoreWidth - 1 ? '0 : bank + bank_t'(1);
    end
  end

  `include "assert.svh"
  `ASSERT(FlushIsAlone, !flush_o || count_o == count_t'(1))
  `ASSERT(EmptyAfterFlush, !(squash_i.valid && squash_i.all) || empty_i)
endmodule
