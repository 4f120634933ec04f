// The system's side of the core: the one serial instruction in flight (serial_unit), and the CSRs (csr_file).
//
//   dispatch --start_i--> serial_unit --done_o, exception_o--> commit
//                            ^  | address, new value
//  operands_i (EX, port 0) |  v                    +--> vm_o, pmp_o, fp_mode_o: how the others behave
//                            +-csr_file--------------+--> irq_o: what may interrupt
//              raise_i, com_i --^                    +--> resume_o: where traps and returns lead
//
// CSRs are read in EX and written as their instruction commits; traps and returns take effect in the cycle of raise_i
// and com_i.flush. TLB entries go one cycle after that, in the cycle of the squash: between the two nothing translates
// that lives on (core asserts it). Invariant: at most one serial instruction is in flight, alone, so what it reads is
// settled.
module system_unit
  import config_pkg::*;
  import core_pkg::*;
  import mmu_pkg::*;
  import serial_pkg::*;
  import csr_effect_pkg::*;
  import commit_pkg::*;
  import rvfi_pkg::*;
(
  input  logic clk_i,
  input  logic rst_ni,
  input  squash_t squash_i,
  // dispatch
  input  serial_start_t start_i,
  output serial_state_t serial_o,
  // EX, port 0
  input  serial_operands_t operands_i,
  output word_t csr_rdata_o,
  // fences
  input  settled_t settled_i,
  output logic clean_o,
  // completion
  output rob_ref_t done_o,
  output exception_t exception_o,
  // commit
  output irq_t irq_o,
  input  commit_t com_i,
  input  raise_t raise_i,
  input  fp_effect_t fp_effect_i,
  output resume_t resume_o,
  // how the others behave
  output fp_mode_t fp_mode_o,
  output vm_t vm_o,
  output pmp_region_t pmp_o [PmpRegions],
  // sfence.vma, or a write of satp or of a PMP register, has committed in the last cycle
  output tlb_flush_t tlb_flush_o,
  // interrupts, time, counting; CSRs held elsewhere
  input  machine_t machine_i,
  input  logic lcofi_i,
  output csr_req_t ext_req_o,
  input  word_t ext_rdata_i
);
  logic csr_denied, wfi_wake;
  tlb_flush_t csr_flush, fence_flush;
  csr_req_t csr;
  word_t csr_modify;
  word_t csr_written;
  serial_mode_t mode;
  serial_effect_t effect;

  serial_unit u_serial_unit (
    .clk_i, .rst_ni, .start_i, .busy_o(serial_o.busy), .locked_o(irq_o.locked), .amo_o(serial_o.amo),
    .commit_i(com_i.any), .squash_all_i(squash_i.valid && squash_i.all),
    .operands_i, .csr_modify_i(csr_modify), .csr_denied_i(csr_denied), .csr_o(csr),
    .mode_i(mode), .wfi_wake_i(wfi_wake), .sq_empty_i(settled_i.sq_empty), .clean_o, .clean_done_i(settled_i.clean),
    .done_o, .exception_o, .effect_o(effect), .tlb_flush_o(fence_flush)
  );

  csr_file u_csr_file (
    .clk_i, .rst_ni,
    .access_i(csr), .rdata_o(csr_rdata_o), .modify_o(csr_modify), .denied_o(csr_denied), .written_o(csr_written),
    .raise_i, .trap_pc_o(resume_o.trap_pc), .com_i, .effect_i(effect), .return_pc_o(resume_o.return_pc),
    .vm_o, .pmp_o, .tlb_flush_o(csr_flush), .mode_o(mode), .wfi_wake_o(wfi_wake), .fp_effect_i, .fp_mode_o,
    .machine_i, .lcofi_i, .irq_o(irq_o.valid), .irq_cause_o(irq_o.cause),
    .ext_req_o, .ext_rdata_i
  );
  assign serial_o.csr = '{valid: csr.write, addr: csr.addr, wdata: csr_written};
  assign resume_o.returns = effect.mret || effect.sret;
  assign resume_o.fence_i = effect.fence_i;

  always_ff @(posedge clk_i)
    if (!rst_ni) tlb_flush_o <= '0;
    else tlb_flush_o <= csr_flush | fence_flush;  // never both

  // CSRs held elsewhere are decoded in the cycle before they are read (tip_csrs).
  logic [11:0] addr_before_q;
  always_ff @(posedge clk_i) addr_before_q <= csr.addr;

  `include "assert.svh"
  `ASSERT(AddressStands, !operands_i.valid || csr.addr == addr_before_q)
endmodule
