// The one serial instruction: CSR access, fence, trap and return instructions, and what cannot be executed at all.
//
// A serial instruction dispatches alone into an empty ROB, so its privilege and every older effect are settled.
//
//   dispatch | pending: legal? wait for what it orders | completion_o or exception_o | busy until it leaves the ROB
//
// A CSR instruction comes by the issue queue for its operand and reads in EX (csr_o; the value goes to the
// register file by integer port 0); it writes when it commits. sfence.vma comes that way for its two operands, and
// drops TLB entries when it commits (an address that is not canonical drops what covers its bits 38:12: more than it
// must). AMOs only take part in busy_o. An access to satp waits for
// an empty store queue as sfence.vma does: walks of the new tables read what was stored before.
//
// wfi is done when an interrupt is pending and enabled in mie. It cannot be interrupted: an interrupt that is due is
// taken at the instruction after it, so that its handler does not return to the wait.
module serial_unit
  import config_pkg::AsidBits;
  import config_pkg::CtrDepth;
  import instructions_pkg::*;
  import csrs_pkg::*;
  import core_pkg::*;
  import mmu_pkg::*;
  import serial_pkg::*;
  import csr_effect_pkg::*;
  import commit_pkg::*;
(
  input  logic clk_i,
  input  logic rst_ni,
  // dispatch of a serial instruction
  input  serial_start_t start_i,
  output logic busy_o,
  output logic locked_o,                // no interrupt now
  output logic amo_o,                   // it is an AMO, LR or SC
  // it leaves the ROB
  input  logic commit_i,
  input  logic squash_all_i,
  // EX, port 0: of a CSR instruction or sfence.vma
  input  serial_operands_t operands_i,
  input  word_t csr_modify_i,           // what set and clear change
  input  logic csr_denied_i,            // csr_o.addr is not for this privilege
  output csr_req_t csr_o,               // writes as it commits
  // state of the machine
  input  serial_mode_t mode_i,
  input  logic wfi_wake_i,
  input  logic sq_empty_i,
  output logic clean_o,
  input  logic clean_done_i,
  // completion
  output rob_ref_t done_o,
  output exception_t exception_o,       // with done_o
  output serial_effect_t effect_o,
  output tlb_flush_t tlb_flush_o        // sfence.vma commits
);
  op_e op_q;
  unit_e unit_q;
  logic busy_q, pending_q, fault_q, write_q, drain_q;
  logic [31:0] insn_q;
  word_t pc_q, wdata_q, tval;
  asid_t asid_q;
  rob_idx_t rob_q;
  logic done, exception, illegal;
  cause_t cause;

  // ---- CSR: address 11:10 = 3 is read-only; set and clear write only with an operand that is not x0 or 0 ----
  logic immediate, writes, csr_illegal;
  logic [11:0] csr_addr;
  word_t operand, wdata;
  assign csr_addr = insn_q[31:20];
  assign immediate = insn_q[14];
  assign operand = immediate ? {59'd0, insn_q[19:15]} : operands_i.rs1;
  assign writes = insn_q[13:12] == 2'b01 || insn_q[19:15] != '0;
  assign csr_illegal = !csr_exists(csr_addr) || csr_denied_i || (writes && csr_addr[11:10] == 2'b11);
  always_comb
    case (insn_q[13:12])
      2'b10: wdata = csr_modify_i | operand;
      2'b11: wdata = csr_modify_i & ~operand;
      default: wdata = operand;
    endcase

  always_ff @(posedge clk_i) begin
    if (!rst_ni) begin
      busy_q <= 1'b0;
      pending_q <= 1'b0;
    end else begin
      if (start_i.valid) busy_q <= 1'b1;
      else if (commit_i || squash_all_i) busy_q <= 1'b0;
      if (start_i.valid) pending_q <= start_i.unit != UNIT_AMO;
      else if (done || squash_all_i) pending_q <= 1'b0;
    end
    if (start_i.valid) begin
      op_q <= start_i.op;
      unit_q <= start_i.unit;
      fault_q <= start_i.fault;
      insn_q <= start_i.insn;
      pc_q <= start_i.pc;
      rob_q <= start_i.rob;
      write_q <= 1'b0;
      drain_q <= 1'b0;
    end else if (operands_i.valid) begin
      drain_q <= 1'b1;
      write_q <= writes;
      wdata_q <= unit_q == UNIT_CSR ? wdata : operands_i.rs1;
      asid_q <= operands_i.rs2[AsidBits-1:0];
    end
  end

  // ---- completion ----
  // For S-mode unless mstatus traps it there, never for U-mode.
  function automatic logic refused(input priv_e priv, input logic trapped);
    refused = priv == PRIV_U || (priv == PRIV_S && trapped);
  endfunction

  always_comb begin
    done = pending_q && !squash_all_i;
    exception = 1'b0;
    illegal = 1'b0;
    cause = CauseIllegal;
    tval = {32'd0, insn_q};
    case (unit_q)
      UNIT_CSR: begin
        illegal = csr_illegal && !drain_q;  // judged in EX
        if (!operands_i.valid && !drain_q) done = 1'b0;
        if (csr_addr == CsrSatp && !sq_empty_i && !illegal) done = 1'b0;
      end
      UNIT_FENCE: begin
        if (op_q == OP_SFENCE_VMA) begin
          illegal = refused(mode_i.priv, mode_i.tvm);
          if (!operands_i.valid && !drain_q) done = 1'b0;
        end
        if (op_q == OP_FENCE_I ? !clean_done_i : !sq_empty_i && !illegal) done = 1'b0;
      end
      UNIT_SYS: begin
        if (op_q == OP_MRET) illegal = mode_i.priv != PRIV_M;
        if (op_q == OP_SRET) illegal = refused(mode_i.priv, mode_i.tsr);
        if (op_q == OP_SCTRCLR) illegal = CtrDepth == 0 || refused(mode_i.priv, 1'b0);
        if (op_q == OP_WFI) begin
          illegal = refused(mode_i.priv, mode_i.tw);
          if (!illegal && !wfi_wake_i) done = 1'b0;
        end
        if (op_q == OP_ECALL) begin
          exception = 1'b1;
          cause = mode_i.priv == PRIV_M ? CauseEcallM : mode_i.priv == PRIV_S ? CauseEcallS : CauseEcallU;
          tval = '0;
        end
        if (op_q == OP_EBREAK) begin
          exception = 1'b1;
          cause = CauseBreakpoint;
          tval = pc_q;
        end
      end
      default: begin
        illegal = !fault_q;
        if (fault_q) begin
          // A faulting instruction's bits: bit 0: only its second half is at fault; bit 1: page fault.
          exception = 1'b1;
          cause = insn_q[1] ? CauseInsnPage : CauseInsnAccess;
          tval = pc_q + (insn_q[0] ? 64'd2 : 64'd0);
        end
      end
    endcase
    if (illegal) exception = 1'b1;
  end

  assign done_o = '{valid: done, rob: rob_q};
  assign exception_o = '{valid: done && exception, rob: rob_q, replay: 1'b0, cause: cause, tval: tval};
  assign busy_o = busy_q;
  assign clean_o = pending_q && op_q == OP_FENCE_I;
  assign locked_o = clean_o || (busy_q && op_q == OP_WFI);
  assign amo_o = busy_q && unit_q == UNIT_AMO;
  assign csr_o = '{addr: csr_addr, write: commit_i && busy_q && unit_q == UNIT_CSR && write_q, wdata: wdata_q};
  assign effect_o = '{mret: busy_q && op_q == OP_MRET, sret: busy_q && op_q == OP_SRET,
                      fence_i: busy_q && op_q == OP_FENCE_I};

  // sfence.vma: rs1 names a page, rs2 an address space; x0 means all of them (privileged manual, sfence.vma).
  always_comb begin
    tlb_flush_o = '0;
    if (commit_i && busy_q && op_q == OP_SFENCE_VMA)
      tlb_flush_o = '{walks: 1'b1, entries: 1'b1, by_asid: insn_q[24:20] != '0, asid: asid_q,
                      by_page: insn_q[19:15] != '0, vpn: wdata_q[38:12]};
  end

  `include "assert.svh"
  `ASSERT(OneAtATime, !(start_i.valid && busy_q))
endmodule
