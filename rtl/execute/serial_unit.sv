// The one serial instruction: CSR access, fence, trap and return instructions, and what cannot be executed at all.
//
// A serial instruction dispatches alone into an empty ROB, so its privilege and every older effect are settled.
//
//   dispatch | pending: legal? wait for what it orders | completion_o or exception_o | busy until it leaves the ROB
//
// A CSR instruction comes by the issue queue for its operand and reads in EX (csr_addr_o; the value goes to the
// register file by integer port 0); it writes when it commits. AMOs only take part in busy_o. An access to satp waits for
// an empty store queue as sfence.vma does: walks of the new tables read what was stored before.
//
// wfi is done when an interrupt is pending and enabled in mie. It cannot be interrupted: an interrupt that is due is
// taken at the instruction after it, so that its handler does not return to the wait.
module serial_unit
  import instructions_pkg::*;
  import csrs_pkg::*;
  import core_pkg::*;
(
  input  logic clk_i,
  input  logic rst_ni,
  // dispatch of a serial instruction
  input  logic start_i,
  input  op_e op_i,
  input  unit_e unit_i,
  input  logic fault_i,
  input  logic [31:0] insn_i,
  input  word_t pc_i,
  input  rob_idx_t rob_i,
  output logic busy_o,
  output logic locked_o,                // no interrupt now
  output logic amo_o,                   // it is an AMO, LR or SC
  // it leaves the ROB
  input  logic commit_i,
  input  logic squash_all_i,
  // EX of a CSR instruction on port 0
  input  logic csr_valid_i,
  input  word_t csr_operand_i,          // rs1
  input  word_t csr_modify_i,           // what set and clear change
  input  logic csr_denied_i,            // csr_addr_o is not for this privilege
  output logic [11:0] csr_addr_o,
  output logic csr_write_o,             // at commit
  output word_t csr_wdata_o,
  // state of the machine
  input  priv_e priv_i,
  input  logic tvm_i,                   // mstatus: S-mode may not use sfence.vma, wfi, sret
  input  logic tw_i,
  input  logic tsr_i,
  input  logic wfi_wake_i,
  input  logic sq_empty_i,
  output logic clean_o,
  input  logic clean_done_i,
  // completion
  output logic done_valid_o,
  output rob_idx_t done_rob_o,
  output logic exception_o,             // with done_valid_o
  output cause_t cause_o,
  output word_t tval_o,
  // what it does at commit
  output logic mret_o,
  output logic sret_o,
  output logic fence_i_o,
  output logic tlb_flush_o              // at commit of sfence.vma
);
  op_e op_q;
  unit_e unit_q;
  logic busy_q, pending_q, fault_q, write_q, drain_q;
  logic [31:0] insn_q;
  word_t pc_q, wdata_q;
  rob_idx_t rob_q;

  // ---- CSR: address 11:10 = 3 is read-only; set and clear write only with an operand that is not x0 or 0 ----
  logic immediate, writes, csr_illegal;
  word_t operand, wdata;
  assign csr_addr_o = insn_q[31:20];
  assign immediate = insn_q[14];
  assign operand = immediate ? {59'd0, insn_q[19:15]} : csr_operand_i;
  assign writes = insn_q[13:12] == 2'b01 || insn_q[19:15] != '0;
  assign csr_illegal = !csr_exists(csr_addr_o) || csr_denied_i || (writes && csr_addr_o[11:10] == 2'b11);
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
      if (start_i) busy_q <= 1'b1;
      else if (commit_i || squash_all_i) busy_q <= 1'b0;
      if (start_i) pending_q <= unit_i != UNIT_AMO;
      else if (done_valid_o || squash_all_i) pending_q <= 1'b0;
    end
    if (start_i) begin
      op_q <= op_i;
      unit_q <= unit_i;
      fault_q <= fault_i;
      insn_q <= insn_i;
      pc_q <= pc_i;
      rob_q <= rob_i;
      write_q <= 1'b0;
      drain_q <= 1'b0;
    end else if (csr_valid_i) begin
      drain_q <= 1'b1;
      write_q <= writes;
      wdata_q <= wdata;
    end
  end

  // ---- completion ----
  // For S-mode unless mstatus traps it there, never for U-mode.
  function automatic logic refused(input priv_e priv, input logic trapped);
    refused = priv == PRIV_U || (priv == PRIV_S && trapped);
  endfunction

  logic illegal;
  always_comb begin
    done_valid_o = pending_q && !squash_all_i;
    exception_o = 1'b0;
    illegal = 1'b0;
    cause_o = CauseIllegal;
    tval_o = {32'd0, insn_q};
    case (unit_q)
      UNIT_CSR: begin
        illegal = csr_illegal && !drain_q;  // judged in EX
        if (!csr_valid_i && !drain_q) done_valid_o = 1'b0;
        if (csr_addr_o == CsrSatp && !sq_empty_i && !illegal) done_valid_o = 1'b0;
      end
      UNIT_FENCE: begin
        if (op_q == OP_SFENCE_VMA) illegal = refused(priv_i, tvm_i);
        if (op_q == OP_FENCE_I ? !clean_done_i : !sq_empty_i && !illegal) done_valid_o = 1'b0;
      end
      UNIT_SYS: begin
        if (op_q == OP_MRET) illegal = priv_i != PRIV_M;
        if (op_q == OP_SRET) illegal = refused(priv_i, tsr_i);
        if (op_q == OP_WFI) begin
          illegal = refused(priv_i, tw_i);
          if (!illegal && !wfi_wake_i) done_valid_o = 1'b0;
        end
        if (op_q == OP_ECALL) begin
          exception_o = 1'b1;
          cause_o = priv_i == PRIV_M ? CauseEcallM : priv_i == PRIV_S ? CauseEcallS : CauseEcallU;
          tval_o = '0;
        end
        if (op_q == OP_EBREAK) begin
          exception_o = 1'b1;
          cause_o = CauseBreakpoint;
          tval_o = pc_q;
        end
      end
      default: begin
        illegal = !fault_q;
        if (fault_q) begin
          // A faulting instruction's bits: bit 0: only its second half is at fault; bit 1: page fault.
          exception_o = 1'b1;
          cause_o = insn_q[1] ? CauseInsnPage : CauseInsnAccess;
          tval_o = pc_q + (insn_q[0] ? 64'd2 : 64'd0);
        end
      end
    endcase
    if (illegal) exception_o = 1'b1;
  end

  assign done_rob_o = rob_q;
  assign busy_o = busy_q;
  assign clean_o = pending_q && op_q == OP_FENCE_I;
  assign locked_o = clean_o || (busy_q && op_q == OP_WFI);
  assign amo_o = busy_q && unit_q == UNIT_AMO;
  assign csr_write_o = commit_i && busy_q && unit_q == UNIT_CSR && write_q;
  assign csr_wdata_o = wdata_q;
  assign mret_o = busy_q && op_q == OP_MRET;
  assign sret_o = busy_q && op_q == OP_SRET;
  assign fence_i_o = busy_q && op_q == OP_FENCE_I;
  assign tlb_flush_o = commit_i && busy_q && op_q == OP_SFENCE_VMA;

  `include "assert.svh"
  `ASSERT(OneAtATime, !(start_i && busy_q))
endmodule
