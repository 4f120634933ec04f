// CSRs of the core itself: who may access them, where traps go and returns lead, and whether an interrupt is due.
//
// Reads are combinational. Writes, traps and returns take effect at the end of the cycle in which their instruction
// leaves the ROB. Status, trap and PMP registers have modules of their own; CSRs that live outside of the core (pmu,
// tip_csrs, csr_window, ctr, sdtrig) are reached through ext_*.
// What tables/csrs.tsv calls plain is all in csrs_pkg: here are only those that do something.
//
//   trap --> delegated, and not from M? --yes--> trap_regs S, status_reg      irq_select --> irq_o
//                                       --no---> trap_regs M, status_reg
module csr_file
  import config_pkg::*;
  import csrs_pkg::*;
  import core_pkg::*;
  import fp_pkg::*;
  import irq_pkg::*;
  import mmu_pkg::*;
  import port_pkg::*;
  import csr_effect_pkg::*;
  import commit_pkg::*;
(
  input  logic clk_i,
  input  logic rst_ni,
  // access by the serial instruction
  input  csr_req_t access_i,            // addr: read; write with wdata: it commits
  output word_t rdata_o,
  output word_t modify_o,               // what set and clear change: rdata_o, but of mip.SEIP what software wrote
  output logic denied_o,                // privilege, mcounteren, scounteren, TVM or FS forbids it
  output word_t written_o,              // what the register holds after the write
  // traps and returns
  input  raise_t raise_i,
  output word_t trap_pc_o,
  input  commit_t com_i,
  input  serial_effect_t effect_i,
  output word_t return_pc_o,            // of the one that returns
  // what else it decides
  output vm_t vm_o,
  output pmp_region_t pmp_o [PmpRegions],
  // with a write of satp, which drops no entry, or of a PMP register; done a cycle later
  output tlb_flush_t tlb_flush_o,
  output serial_mode_t mode_o,
  output logic wfi_wake_o,
  // floating point
  input  fp_effect_t fp_effect_i,       // of what commits
  output fp_mode_t fp_mode_o,
  // interrupts, time, counting
  input  machine_t machine_i,
  input  logic lcofi_i,
  output logic irq_o,
  output cause_t irq_cause_o,
  // CSRs held elsewhere
  output csr_req_t ext_req_o,
  input  word_t ext_rdata_i
);
  localparam word_t SelectMask = Triggers == 0 ? 64'd0 : 64'(Triggers) - 64'd1;  // of tselect
  localparam irqs_t Enables = CsrMieMask[15:0], Software = CsrMipMask[15:0];

  fp_flags_t fflags_q;
  logic [2:0] frm_q;
  irqs_t enable_q, software_q;           // mie; what software (and lcofi_i) left in mip
  plain_csrs_t plain_q;
  irqs_t mideleg;
  logic lcofi_q;                         // lcofi_i of the last cycle
  logic [1:0] inhibit_q;                 // of mcountinhibit: minstret, mcycle
  word_t mcycle_q, minstret_q;
  logic sv39_q;                          // satp
  asid_t asid_q;
  ppn_t root_q;

  // ---- mstatus, sstatus, mode ----
  word_t mstatus, sstatus, mstatus_written, sstatus_written;
  priv_e priv;
  logic mie, sie, delegated, trap, trap_m, trap_s, mret, sret, fp_csr;
  assign trap = raise_i.valid && !raise_i.replay;
  assign mret = com_i.flush && effect_i.mret;
  assign sret = com_i.flush && effect_i.sret;
  assign trap_m = trap && !delegated;
  assign trap_s = trap && delegated;

  status_reg u_status_reg (
    .clk_i,
    .rst_ni,
    .write_m_i(access_i.write && access_i.addr == CsrMstatus),
    .write_s_i(access_i.write && access_i.addr == CsrSstatus),
    .wdata_i(access_i.wdata),
    .mstatus_o(mstatus),
    .sstatus_o(sstatus),
    .mstatus_written_o(mstatus_written),
    .sstatus_written_o(sstatus_written),
    .trap_m_i(trap_m),
    .trap_s_i(trap_s),
    .mret_i(mret),
    .sret_i(sret),
    .fp_dirty_i(fp_effect_i.dirty || (access_i.write && fp_csr)),
    .priv_o(priv),
    .data_priv_o(vm_o.data_priv),
    .mie_o(mie),
    .sie_o(sie),
    .sum_o(vm_o.sum),
    .mxr_o(vm_o.mxr),
    .tvm_o(mode_o.tvm),
    .tw_o(mode_o.tw),
    .tsr_o(mode_o.tsr),
    .fs_off_o(fp_mode_o.off)
  );
  assign mode_o.priv = priv;
  assign vm_o.fetch_priv = priv;
  assign vm_o.sv39 = sv39_q;
  assign vm_o.asid = asid_q;
  assign vm_o.root = root_q;

  // ---- traps and returns ----
  logic m_hit, s_hit;
  word_t m_rdata, s_rdata, m_written, s_written, m_trap_pc, s_trap_pc, mepc, sepc;

  trap_regs #(.Level(PRIV_M)) u_m_regs (
    .clk_i,
    .rst_ni,
    .addr_i(access_i.addr),
    .write_i(access_i.write),
    .wdata_i(access_i.wdata),
    .hit_o(m_hit),
    .rdata_o(m_rdata),
    .written_o(m_written),
    .trap_i(trap_m),
    .trap_interrupt_i(raise_i.irq),
    .trap_cause_i(raise_i.cause),
    .trap_tval_i(raise_i.tval),
    .trap_epc_i(raise_i.epc),
    .trap_pc_o(m_trap_pc),
    .epc_o(mepc)
  );
  trap_regs #(.Level(PRIV_S)) u_s_regs (
    .clk_i,
    .rst_ni,
    .addr_i(access_i.addr),
    .write_i(access_i.write),
    .wdata_i(access_i.wdata),
    .hit_o(s_hit),
    .rdata_o(s_rdata),
    .written_o(s_written),
    .trap_i(trap_s),
    .trap_interrupt_i(raise_i.irq),
    .trap_cause_i(raise_i.cause),
    .trap_tval_i(raise_i.tval),
    .trap_epc_i(raise_i.epc),
    .trap_pc_o(s_trap_pc),
    .epc_o(sepc)
  );
  logic [15:0] medeleg;
  assign medeleg = 16'(plain_q.medeleg);
  assign mideleg = 16'(plain_q.mideleg);
  assign delegated = priv != PRIV_M && raise_i.cause[5:4] == 2'd0 &&
                     (raise_i.irq ? mideleg[raise_i.cause[3:0]] : medeleg[raise_i.cause[3:0]]);
  assign trap_pc_o = delegated ? s_trap_pc : m_trap_pc;
  assign return_pc_o = sret ? sepc : mepc;

  // ---- physical memory protection ----
  logic pmp_hit;
  word_t pmp_rdata, pmp_written;

  pmp_regs u_pmp_regs (
    .clk_i,
    .rst_ni,
    .addr_i(access_i.addr),
    .write_i(access_i.write),
    .wdata_i(access_i.wdata),
    .hit_o(pmp_hit),
    .rdata_o(pmp_rdata),
    .written_o(pmp_written),
    .regions_o(pmp_o)
  );
  always_comb begin
    tlb_flush_o = '0;
    if (access_i.write && pmp_hit) tlb_flush_o = FlushAll;
    tlb_flush_o.walks = access_i.write && (pmp_hit || access_i.addr == CsrSatp);
  end

  // ---- interrupts ----
  irqs_t devices, pending;
  always_comb begin
    devices = '0;
    devices[IrqMsi] = machine_i.msip;
    devices[IrqMti] = machine_i.mtip;
    devices[IrqMei] = machine_i.meip;
    devices[IrqSei] = machine_i.seip;
  end
  assign pending = software_q | devices;

  irq_select u_irq_select (
    .pending_i(pending),
    .enabled_i(enable_q),
    .delegated_i(mideleg),
    .priv_i(priv),
    .mie_i(mie),
    .sie_i(sie),
    .irq_o,
    .cause_o(irq_cause_o),
    .wake_o(wfi_wake_o)
  );

  // ---- reads ----
  function automatic word_t irq_word(input irqs_t irqs);
    irq_word = {48'd0, irqs};
  endfunction
  function automatic word_t satp_word(input logic sv39, input asid_t asid, input ppn_t root);
    satp_word = {sv39, (19 - AsidBits)'(0), asid, root};
  endfunction

  logic external;
  assign external = csr_in_pmu(access_i.addr) || csr_in_tip_csrs(access_i.addr) || csr_in_profileme(access_i.addr) ||
                    csr_in_csr_window(access_i.addr) || csr_in_ctr(access_i.addr) ||
                    csr_in_sdtrig(access_i.addr);
  always_comb
    case (access_i.addr)
      CsrCycle, CsrMcycle: rdata_o = mcycle_q;
      CsrTime: rdata_o = machine_i.mtime;
      CsrInstret, CsrMinstret: rdata_o = minstret_q;
      CsrMstatus: rdata_o = mstatus;
      CsrSstatus: rdata_o = sstatus;
      CsrFflags: rdata_o = {59'd0, fflags_q};
      CsrFrm: rdata_o = {61'd0, frm_q};
      CsrFcsr: rdata_o = {56'd0, frm_q, fflags_q};
      CsrMie: rdata_o = irq_word(enable_q);
      CsrSie: rdata_o = irq_word(enable_q & mideleg);
      CsrMip: rdata_o = irq_word(pending);
      CsrSip: rdata_o = irq_word(pending & mideleg);
      CsrSatp: rdata_o = satp_word(sv39_q, asid_q, root_q);
      // each bit is with its counter
      CsrMcountinhibit: rdata_o = ext_rdata_i | {61'd0, inhibit_q[1], 1'b0, inhibit_q[0]};
      CsrMhartid: rdata_o = machine_i.hart_id;
      CsrScountovf: rdata_o = priv == PRIV_S ? ext_rdata_i & 64'(plain_q.mcounteren) : ext_rdata_i;
      default: rdata_o = external ? ext_rdata_i : m_hit ? m_rdata : s_hit ? s_rdata : pmp_hit ? pmp_rdata
                         : csr_plain(access_i.addr, plain_q);
    endcase
  assign modify_o = access_i.addr == CsrMip ? irq_word(software_q | (devices & ~Software)) : rdata_o;

  // Address bits 9:8 name the lowest privilege (privileged manual, CSR address mapping). Counters for users ask
  // mcounteren below M, and scounteren in U, too.
  logic user_counter, counter_closed;
  assign user_counter = access_i.addr[11:5] == 7'b1100000;
  assign counter_closed = (priv != PRIV_M && !plain_q.mcounteren[access_i.addr[4:0]]) ||
                          (priv == PRIV_U && !plain_q.scounteren[access_i.addr[4:0]]);
  assign fp_csr = access_i.addr == CsrFflags || access_i.addr == CsrFrm || access_i.addr == CsrFcsr;
  assign fp_mode_o.frm = frm_q;
  assign denied_o = access_i.addr[9:8] > priv || (user_counter && counter_closed) || (fp_csr && fp_mode_o.off) ||
                    (access_i.addr == CsrSatp && priv == PRIV_S && mode_o.tvm);

  assign ext_req_o = '{addr: access_i.addr, write: access_i.write && external, wdata: access_i.wdata};

  // ---- written values ----
  irqs_t new_software, new_enable;
  always_comb begin
    // sip and sie reach what is delegated; of sip SSIP and LCOFIP can be written.
    automatic irqs_t sip_bits = mideleg & CsrSipMask[15:0];
    new_software = access_i.addr == CsrSip ? (software_q & ~sip_bits) | (access_i.wdata[15:0] & sip_bits)
                   : access_i.wdata[15:0] & Software;
    // An overflow between read and write is not lost.
    if (lcofi_i || lcofi_q) new_software[IrqLcofi] = 1'b1;
    new_enable = access_i.wdata[15:0] & Enables;
    if (access_i.addr == CsrSie) new_enable = (enable_q & ~mideleg) | (new_enable & mideleg);
  end

  // An unsupported mode leaves satp unchanged.
  logic satp_takes;
  assign satp_takes = access_i.wdata[62:60] == '0;
  always_comb
    case (access_i.addr)
      CsrMstatus: written_o = mstatus_written;
      CsrSstatus: written_o = sstatus_written;
      CsrSie: written_o = irq_word(new_enable & mideleg);
      CsrMip: written_o = irq_word(new_software | devices);
      CsrSip: written_o = irq_word((new_software | devices) & mideleg);
      CsrSatp: written_o = satp_takes ? csr_legal(CsrSatp, rdata_o, access_i.wdata) : rdata_o;
      CsrSctrdepth: written_o = (32'd16 << access_i.wdata[2:0]) <= CtrDepth ? 64'(access_i.wdata[2:0]) : rdata_o;
      CsrTselect: written_o = access_i.wdata & SelectMask;
      default: written_o = m_hit ? m_written : s_hit ? s_written : pmp_hit ? pmp_written
                           : csr_legal(access_i.addr, rdata_o, access_i.wdata);
    endcase

  always_ff @(posedge clk_i)
    if (!rst_ni) begin
      fflags_q <= '0;
      frm_q <= '0;
      enable_q <= '0;
      software_q <= '0;
      lcofi_q <= 1'b0;
      inhibit_q <= '0;
      plain_q <= PlainCsrsReset;
      sv39_q <= 1'b0;
      asid_q <= '0;
      root_q <= '0;
      mcycle_q <= '0;
      minstret_q <= '0;
    end else begin
      lcofi_q <= lcofi_i;
      if (lcofi_i) software_q[IrqLcofi] <= 1'b1;
      if (!inhibit_q[0]) mcycle_q <= mcycle_q + 64'd1;
      if (!inhibit_q[1]) minstret_q <= minstret_q + 64'(com_i.count);
      if (HasFp) fflags_q <= fflags_q | fp_effect_i.flags;
      if (access_i.write) begin
        plain_q <= csr_plain_written(access_i.addr, written_o, plain_q);
        case (access_i.addr)
          CsrFflags, CsrFrm, CsrFcsr: begin
            if (access_i.addr != CsrFrm) fflags_q <= access_i.wdata[4:0];
            if (access_i.addr != CsrFflags)
              frm_q <= access_i.addr == CsrFrm ? access_i.wdata[2:0] : access_i.wdata[7:5];
          end
          CsrMie, CsrSie: enable_q <= new_enable;
          CsrMip, CsrSip: software_q <= new_software;
          CsrSatp: begin
            sv39_q <= written_o[63];
            asid_q <= written_o[44 +: AsidBits];
            root_q <= written_o[43:0];
          end
          CsrMcycle: mcycle_q <= written_o;
          CsrMinstret: minstret_q <= written_o;
          CsrMcountinhibit: inhibit_q <= {access_i.wdata[2], access_i.wdata[0]};
          default: ;
        endcase
      end
    end
endmodule
