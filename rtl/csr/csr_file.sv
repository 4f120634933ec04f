// CSRs of the core itself, trap entry and return, and the decision whether an interrupt is due.
//
// Reads are combinational. Writes, traps and returns take effect at the end of the cycle in which their instruction
// leaves the ROB. CSRs that live elsewhere (pmu, tip_csrs) are reached through csr_ext_*.
module csr_file
  import config_pkg::*;
  import csrs_pkg::*;
  import core_pkg::*;
  import fp_pkg::*;
  import uop_pkg::HasFp;
(
  input  logic clk_i,
  input  logic rst_ni,
  // access by the serial instruction
  input  logic [11:0] addr_i,
  output word_t rdata_o,
  output logic denied_o,                // privilege or mcounteren forbids it
  input  logic write_i,
  input  word_t wdata_i,
  output word_t written_o,              // what the register holds after the write
  // traps and returns
  input  logic trap_i,
  input  logic trap_interrupt_i,
  input  cause_t trap_cause_i,
  input  word_t trap_tval_i,
  /* verilator lint_off UNUSEDSIGNAL */  // instructions are 2-byte aligned
  input  word_t trap_epc_i,
  /* verilator lint_on UNUSEDSIGNAL */
  output word_t trap_pc_o,
  input  logic mret_i,
  output word_t mret_pc_o,
  output priv_e priv_o,
  // floating point
  input  fp_flags_t fp_accrue_i,        // flags of what commits
  input  logic fp_dirty_i,              // floating-point state changes as it commits
  output logic fs_off_o,                // mstatus.FS is Off
  output logic [2:0] frm_o,
  // interrupts, time, counting
  /* verilator lint_off UNUSEDSIGNAL */
  input  machine_t machine_i,
  /* verilator lint_on UNUSEDSIGNAL */
  input  logic lcofi_i,
  input  logic [LaneBits:0] retired_i,
  output logic irq_o,
  output cause_t irq_cause_o,
  // CSRs held elsewhere
  output csr_req_t ext_req_o,
  input  word_t ext_rdata_i
);
  localparam cause_t IrqSoftware = 3, IrqTimer = 7, IrqExternal = 11, IrqOverflow = 13;

  priv_e priv_q;
  logic mie_q, mpie_q, mprv_q, mpp_m_q;  // mstatus; mpp_m_q: MPP is M, else U
  logic [1:0] fs_q;                      // mstatus.FS: 0 Off .. 3 Dirty
  fp_flags_t fflags_q;
  logic [2:0] frm_q;
  logic [3:0] enable_q;                  // mie: overflow, external, timer, software
  logic overflow_q, lcofi_q;             // mip.LCOFIP; lcofi_i of the last cycle
  logic [1:0] inhibit_q;                 // mcountinhibit: minstret, mcycle
  word_t mtvec_q, mscratch_q, mepc_q, mcause_q, mtval_q, mcycle_q, minstret_q;
  logic [31:0] mcounteren_q;

  // ---- views ----
  function automatic word_t interrupt_bits(input logic [3:0] bits);
    interrupt_bits = '0;
    interrupt_bits[IrqSoftware] = bits[0];
    interrupt_bits[IrqTimer] = bits[1];
    interrupt_bits[IrqExternal] = bits[2];
    interrupt_bits[IrqOverflow] = bits[3];
  endfunction
  function automatic word_t mstatus_view(input logic mprv, input logic mpp_m, input logic mpie, input logic mie,
                                         input logic [1:0] fs);
    mstatus_view = CsrMstatusReset & ~CsrMstatusMask;
    mstatus_view[17] = mprv;
    mstatus_view[63] = fs == 2'd3;  // SD
    mstatus_view[14:13] = fs;
    mstatus_view[12:11] = {2{mpp_m}};
    mstatus_view[7] = mpie;
    mstatus_view[3] = mie;
  endfunction

  logic [3:0] pending;
  assign pending = {overflow_q, machine_i.meip, machine_i.mtip, machine_i.msip};

  logic external;
  assign external = csr_in_pmu(addr_i) || csr_in_tip_csrs(addr_i);
  always_comb
    case (addr_i)
      CsrCycle, CsrMcycle: rdata_o = mcycle_q;
      CsrTime: rdata_o = machine_i.mtime;
      CsrInstret, CsrMinstret: rdata_o = minstret_q;
      CsrMstatus: rdata_o = mstatus_view(mprv_q, mpp_m_q, mpie_q, mie_q, fs_q);
      CsrMisa: rdata_o = CsrMisaReset;
      CsrFflags: rdata_o = {59'd0, fflags_q};
      CsrFrm: rdata_o = {61'd0, frm_q};
      CsrFcsr: rdata_o = {56'd0, frm_q, fflags_q};
      CsrMie: rdata_o = interrupt_bits(enable_q);
      CsrMtvec: rdata_o = mtvec_q;
      CsrMcounteren: rdata_o = {32'd0, mcounteren_q};
      CsrMscratch: rdata_o = mscratch_q;
      CsrMepc: rdata_o = mepc_q;
      CsrMcause: rdata_o = mcause_q;
      CsrMtval: rdata_o = mtval_q;
      CsrMip: rdata_o = interrupt_bits(pending);
      CsrMvendorid: rdata_o = CsrMvendoridReset;
      CsrMarchid: rdata_o = CsrMarchidReset;
      CsrMimpid: rdata_o = CsrMimpidReset;
      CsrMhartid: rdata_o = CsrMhartidReset;
      CsrScountovf: rdata_o = priv_q == PRIV_S ? ext_rdata_i & {32'd0, mcounteren_q} : ext_rdata_i;
      default: rdata_o = external ? ext_rdata_i : '0;
    endcase

  // Address bits 9:8 name the lowest privilege (privileged manual, CSR address mapping); user counters ask mcounteren.
  logic user_counter;
  assign user_counter = addr_i[11:5] == 7'b1100000;
  logic fp_csr;
  assign fp_csr = addr_i == CsrFflags || addr_i == CsrFrm || addr_i == CsrFcsr;
  assign fs_off_o = fs_q == 2'd0;
  assign frm_o = frm_q;
  assign denied_o = (fp_csr && fs_off_o) ||
    (priv_q != PRIV_M && (addr_i[9:8] != 2'b00 || (user_counter && !mcounteren_q[addr_i[4:0]])));

  assign ext_req_o = '{addr: addr_i, write: write_i && external, wdata: wdata_i};

  // ---- written values ----
  logic new_mpp_m, new_overflow;
  // An overflow between read and write of mip is not lost.
  assign new_overflow = wdata_i[IrqOverflow] || lcofi_i || lcofi_q;
  assign new_mpp_m = wdata_i[12:11] == PRIV_M;
  always_comb
    case (addr_i)
      CsrMstatus: written_o = mstatus_view(wdata_i[17], new_mpp_m, wdata_i[7], wdata_i[3], HasFp ? wdata_i[14:13] : 2'd0);
      CsrMisa: written_o = CsrMisaReset;
      CsrFflags: written_o = wdata_i & CsrFflagsMask;
      CsrFrm: written_o = wdata_i & CsrFrmMask;
      CsrFcsr: written_o = wdata_i & CsrFcsrMask;
      CsrMie: written_o = wdata_i & CsrMieMask;
      CsrMtvec: written_o = wdata_i & CsrMtvecMask;
      CsrMcounteren: written_o = wdata_i & CsrMcounterenMask;
      CsrMepc: written_o = wdata_i & CsrMepcMask;
      CsrMcause: written_o = wdata_i & CsrMcauseMask;
      CsrMip: written_o = interrupt_bits({new_overflow, pending[2:0]});
      default: written_o = wdata_i;
    endcase

  // ---- interrupts: MEI, MSI, MTI, then LCOFI ----
  logic [3:0] due;
  assign due = pending & enable_q;
  assign irq_o = due != '0 && (priv_q != PRIV_M || mie_q);
  assign irq_cause_o = due[2] ? IrqExternal : due[0] ? IrqSoftware : due[1] ? IrqTimer : IrqOverflow;

  assign priv_o = priv_q;
  assign mret_pc_o = mepc_q;
  assign trap_pc_o = {mtvec_q[63:2], 2'b00} + ((mtvec_q[0] && trap_interrupt_i) ? {56'd0, trap_cause_i, 2'b00} : '0);

  always_ff @(posedge clk_i)
    if (!rst_ni) begin
      priv_q <= PRIV_M;
      mie_q <= 1'b0;
      mpie_q <= 1'b0;
      mprv_q <= 1'b0;
      mpp_m_q <= 1'b1;
      fs_q <= 2'd0;
      fflags_q <= '0;
      frm_q <= '0;
      enable_q <= '0;
      overflow_q <= 1'b0;
      lcofi_q <= 1'b0;
      inhibit_q <= '0;
      mtvec_q <= CsrMtvecReset;
      mcounteren_q <= CsrMcounterenReset[31:0];
      mscratch_q <= CsrMscratchReset;
      mepc_q <= CsrMepcReset;
      mcause_q <= CsrMcauseReset;
      mtval_q <= CsrMtvalReset;
      mcycle_q <= '0;
      minstret_q <= '0;
    end else begin
      lcofi_q <= lcofi_i;
      if (lcofi_i) overflow_q <= 1'b1;
      if (!inhibit_q[0]) mcycle_q <= mcycle_q + 64'd1;
      if (!inhibit_q[1]) minstret_q <= minstret_q + 64'(retired_i);
      if (HasFp && fp_dirty_i) fs_q <= 2'd3;
      if (HasFp) fflags_q <= fflags_q | fp_accrue_i;
      if (write_i)
        case (addr_i)
          CsrFflags, CsrFrm, CsrFcsr: begin
            fs_q <= 2'd3;
            if (addr_i != CsrFrm) fflags_q <= wdata_i[4:0];
            if (addr_i != CsrFflags) frm_q <= addr_i == CsrFrm ? wdata_i[2:0] : wdata_i[7:5];
          end
          CsrMstatus: begin
            fs_q <= HasFp ? wdata_i[14:13] : 2'd0;
            mie_q <= wdata_i[3];
            mpie_q <= wdata_i[7];
            mpp_m_q <= new_mpp_m;
            mprv_q <= wdata_i[17];
          end
          CsrMie: enable_q <= {wdata_i[IrqOverflow], wdata_i[IrqExternal], wdata_i[IrqTimer], wdata_i[IrqSoftware]};
          CsrMtvec: mtvec_q <= written_o;
          CsrMcounteren: mcounteren_q <= written_o[31:0];
          CsrMscratch: mscratch_q <= written_o;
          CsrMepc: mepc_q <= written_o;
          CsrMcause: mcause_q <= written_o;
          CsrMtval: mtval_q <= written_o;
          CsrMip: overflow_q <= new_overflow;
          CsrMcycle: mcycle_q <= written_o;
          CsrMinstret: minstret_q <= written_o;
          CsrMcountinhibit: inhibit_q <= {wdata_i[2], wdata_i[0]};
          default: ;
        endcase
      if (trap_i) begin
        priv_q <= PRIV_M;
        mpp_m_q <= priv_q == PRIV_M;
        mpie_q <= mie_q;
        mie_q <= 1'b0;
        mepc_q <= trap_epc_i & CsrMepcMask;
        mcause_q <= {trap_interrupt_i, 57'd0, trap_cause_i};
        mtval_q <= trap_tval_i;
      end else if (mret_i) begin
        priv_q <= mpp_m_q ? PRIV_M : PRIV_U;
        mie_q <= mpie_q;
        mpie_q <= 1'b1;
        mpp_m_q <= 1'b0;
        if (!mpp_m_q) mprv_q <= 1'b0;
      end
    end
endmodule
