// mstatus, its view sstatus, and the privilege mode: what traps and returns stack and unstack.
//
// Writes, traps and returns take effect at the end of the cycle.
//
//   trap to x:    xPP <- mode, xPIE <- xIE, xIE <- 0, mode <- x
//   return of x:  mode <- xPP, xIE <- xPIE, xPIE <- 1, xPP <- U; MPRV <- 0 unless it goes to M
module status_reg
  import csrs_pkg::*;
  import core_pkg::*;
  import port_pkg::HasFp;
(
  input  logic clk_i,
  input  logic rst_ni,
  // CSR access
  input  logic write_m_i,               // to mstatus
  input  logic write_s_i,               // to sstatus
  input  word_t wdata_i,
  output word_t mstatus_o,
  output word_t sstatus_o,
  output word_t mstatus_written_o,      // what they would hold after a write
  output word_t sstatus_written_o,
  // events
  input  logic trap_m_i,
  input  logic trap_s_i,
  input  logic mret_i,
  input  logic sret_i,
  input  logic fp_dirty_i,
  // what it says
  output priv_e priv_o,
  output priv_e data_priv_o,            // of loads and stores
  output logic mie_o,
  output logic sie_o,
  output logic sum_o,
  output logic mxr_o,
  output logic tvm_o,
  output logic tw_o,
  output logic tsr_o,
  output logic fs_off_o
);
  localparam int unsigned Sie = 1, Mie = 3, Spie = 5, Mpie = 7, Spp = 8, Mprv = 17, Sum = 18, Mxr = 19, Tvm = 20,
                          Tw = 21, Tsr = 22, Sd = 63;

  typedef struct packed {
    logic tsr, tw, tvm, mxr, sum, mprv;
    logic [1:0] fs;                     // 0 Off .. 3 Dirty
    priv_e mpp;
    logic spp, mpie, spie, mie, sie;    // spp: SPP is S, else U
  } status_t;

  priv_e priv_q;
  status_t status_q, status_d;

  function automatic word_t view(input status_t s);
    view = CsrMstatusReset & ~CsrMstatusMask;  // UXL, SXL
    view[Sd] = s.fs == 2'd3;
    view[Tsr] = s.tsr;
    view[Tw] = s.tw;
    view[Tvm] = s.tvm;
    view[Mxr] = s.mxr;
    view[Sum] = s.sum;
    view[Mprv] = s.mprv;
    view[14:13] = s.fs;
    view[12:11] = s.mpp;
    view[Spp] = s.spp;
    view[Mpie] = s.mpie;
    view[Spie] = s.spie;
    view[Mie] = s.mie;
    view[Sie] = s.sie;
  endfunction
  function automatic word_t supervisor(input word_t mstatus);
    supervisor = (mstatus & CsrSstatusMask) | (CsrSstatusReset & ~CsrSstatusMask);
    supervisor[Sd] = mstatus[Sd];
  endfunction

  // The fields of mstatus after a write of `word`. The reserved mode (2) is written as U.
  function automatic status_t fields(input word_t word);
    fields.tsr = word[Tsr];
    fields.tw = word[Tw];
    fields.tvm = word[Tvm];
    fields.mxr = word[Mxr];
    fields.sum = word[Sum];
    fields.mprv = word[Mprv];
    fields.fs = HasFp ? word[14:13] : 2'd0;
    fields.mpp = word[12:11] == 2'd2 ? PRIV_U : priv_e'(word[12:11]);
    fields.spp = word[Spp];
    fields.mpie = word[Mpie];
    fields.spie = word[Spie];
    fields.mie = word[Mie];
    fields.sie = word[Sie];
  endfunction

  status_t m_write, s_write;
  assign mstatus_o = view(status_q);
  assign sstatus_o = supervisor(mstatus_o);
  assign m_write = fields(wdata_i);
  assign s_write = fields((mstatus_o & ~CsrSstatusMask) | (wdata_i & CsrSstatusMask));
  assign mstatus_written_o = view(m_write);
  assign sstatus_written_o = supervisor(view(s_write));

  always_comb begin
    status_d = status_q;
    if (HasFp && fp_dirty_i) status_d.fs = 2'd3;
    if (write_m_i) status_d = m_write;
    if (write_s_i) status_d = s_write;
    if (trap_m_i) begin
      status_d.mpp = priv_q;
      status_d.mpie = status_q.mie;
      status_d.mie = 1'b0;
    end else if (trap_s_i) begin
      status_d.spp = priv_q == PRIV_S;
      status_d.spie = status_q.sie;
      status_d.sie = 1'b0;
    end else if (mret_i) begin
      status_d.mpp = PRIV_U;
      status_d.mie = status_q.mpie;
      status_d.mpie = 1'b1;
      if (status_q.mpp != PRIV_M) status_d.mprv = 1'b0;
    end else if (sret_i) begin
      status_d.spp = 1'b0;
      status_d.sie = status_q.spie;
      status_d.spie = 1'b1;
      status_d.mprv = 1'b0;
    end
  end

  always_ff @(posedge clk_i)
    if (!rst_ni) begin
      status_q <= fields(CsrMstatusReset);
      priv_q <= PRIV_M;
    end else begin
      status_q <= status_d;
      if (trap_m_i) priv_q <= PRIV_M;
      else if (trap_s_i) priv_q <= PRIV_S;
      else if (mret_i) priv_q <= status_q.mpp;
      else if (sret_i) priv_q <= status_q.spp ? PRIV_S : PRIV_U;
    end

  assign priv_o = priv_q;
  assign data_priv_o = status_q.mprv ? status_q.mpp : priv_q;
  assign mie_o = status_q.mie;
  assign sie_o = status_q.sie;
  assign sum_o = status_q.sum;
  assign mxr_o = status_q.mxr;
  assign tvm_o = status_q.tvm;
  assign tw_o = status_q.tw;
  assign tsr_o = status_q.tsr;
  assign fs_off_o = status_q.fs == 2'd0;

  `include "assert.svh"
  `ASSERT(OneEvent, 32'(write_m_i) + 32'(write_s_i) + 32'(trap_m_i) + 32'(trap_s_i) + 32'(mret_i) + 32'(sret_i) <= 1)
endmodule
