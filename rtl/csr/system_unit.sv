// The system's side of the core: the one serial instruction in flight (serial_unit), and the CSRs (csr_file).
//
//   dispatch --start_i--> serial_unit --done_o, exception_o--> commit
//                            ^  | address, new value
//         csr_* (EX, port 0) |  v                    +--> vm_o, pmp_o, fp_mode_o, priv_o: how the others behave
//                            +-csr_file--------------+--> irq_o: what may interrupt
//              raise_i, com_i --^                    +--> resume_o: where traps and returns lead
//
// CSRs are read in EX and written as their instruction commits; traps and returns take effect in the cycle of raise_i and
// com_i.flush. Invariant: at most one serial instruction is in flight, alone, so what it reads is settled.
module system_unit
  import config_pkg::*;
  import core_pkg::*;
  import mmu_pkg::*;
  import uop_pkg::*;
(
  input  logic clk_i,
  input  logic rst_ni,
  /* verilator lint_off UNUSEDSIGNAL */  // only a squash of everything reaches what is alone
  input  squash_t squash_i,
  /* verilator lint_on UNUSEDSIGNAL */
  // dispatch
  input  serial_start_t start_i,
  output logic busy_o,
  output logic amo_o,                  // it is an AMO, LR or SC
  // EX, port 0
  input  logic csr_valid_i,
  input  word_t csr_operand_i,
  output word_t csr_rdata_o,
  // fences
  input  logic sq_empty_i,
  output logic clean_o,
  input  logic clean_done_i,
  // completion
  output rob_ref_t done_o,
  output exception_t exception_o,
  // commit
  output irq_t irq_o,
  /* verilator lint_off UNUSEDSIGNAL */  // what leaves does not matter here, but that something does
  input  commit_t com_i,
  /* verilator lint_on UNUSEDSIGNAL */
  input  raise_t raise_i,
  input  fp_effect_t fp_effect_i,
  output resume_t resume_o,
  // how the others behave
  output priv_e priv_o,
  output fp_mode_t fp_mode_o,
  output vm_t vm_o,
  output pmp_region_t pmp_o [PmpRegions],
  output logic tlb_flush_o,            // sfence.vma, or a write of satp or of a PMP register, commits
  // interrupts, time, counting; CSRs held elsewhere
  input  machine_t machine_i,
  input  logic lcofi_i,
  output csr_req_t ext_req_o,
  input  word_t ext_rdata_i
);
  logic csr_denied, csr_write, serial_exception, mret, sret, tvm, tw, tsr, wfi_wake, sfence, csr_tlb_flush;
  logic [11:0] csr_addr;
  word_t csr_modify, csr_wdata, serial_tval;
  /* verilator lint_off UNUSEDSIGNAL */  // for the monitor: what the CSR holds after the write
  word_t csr_written;
  /* verilator lint_on UNUSEDSIGNAL */
  cause_t serial_cause;

  serial_unit u_serial_unit (
    .clk_i, .rst_ni,
    .start_i(start_i.valid), .op_i(start_i.op), .unit_i(start_i.unit), .fault_i(start_i.fault), .insn_i(start_i.insn),
    .pc_i(start_i.pc), .rob_i(start_i.rob), .busy_o, .locked_o(irq_o.locked), .amo_o,
    .commit_i(com_i.any), .squash_all_i(squash_i.valid && squash_i.all),
    .csr_valid_i, .csr_operand_i, .csr_modify_i(csr_modify), .csr_denied_i(csr_denied),
    .csr_addr_o(csr_addr), .csr_write_o(csr_write), .csr_wdata_o(csr_wdata),
    .priv_i(priv_o), .tvm_i(tvm), .tw_i(tw), .tsr_i(tsr), .wfi_wake_i(wfi_wake), .sq_empty_i, .clean_o, .clean_done_i,
    .done_valid_o(done_o.valid), .done_rob_o(done_o.rob),
    .exception_o(serial_exception), .cause_o(serial_cause), .tval_o(serial_tval),
    .mret_o(mret), .sret_o(sret), .fence_i_o(resume_o.fence_i), .tlb_flush_o(sfence)
  );
  assign exception_o = '{valid: done_o.valid && serial_exception, rob: done_o.rob, replay: 1'b0, cause: serial_cause,
                         tval: serial_tval};

  csr_file u_csr_file (
    .clk_i, .rst_ni,
    .addr_i(csr_addr), .rdata_o(csr_rdata_o), .modify_o(csr_modify), .denied_o(csr_denied),
    .write_i(csr_write), .wdata_i(csr_wdata), .written_o(csr_written),
    .trap_i(raise_i.valid && !raise_i.replay), .trap_interrupt_i(raise_i.irq), .trap_cause_i(raise_i.cause),
    .trap_tval_i(raise_i.tval), .trap_epc_i(raise_i.epc), .trap_pc_o(resume_o.trap_pc),
    .mret_i(com_i.flush && mret), .sret_i(com_i.flush && sret), .return_pc_o(resume_o.return_pc), .priv_o,
    .vm_o, .pmp_o, .tlb_flush_o(csr_tlb_flush), .tvm_o(tvm), .tw_o(tw), .tsr_o(tsr), .wfi_wake_o(wfi_wake),
    .fp_accrue_i(fp_effect_i.flags), .fp_dirty_i(fp_effect_i.dirty), .fs_off_o(fp_mode_o.off), .frm_o(fp_mode_o.frm),
    .machine_i, .lcofi_i, .retired_i((LaneBits + 1)'(com_i.count)), .irq_o(irq_o.valid), .irq_cause_o(irq_o.cause),
    .ext_req_o, .ext_rdata_i
  );
  assign resume_o.returns = mret || sret;
  assign tlb_flush_o = csr_tlb_flush || sfence;
endmodule
