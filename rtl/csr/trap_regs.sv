// What a trap to one privilege (M or S) reads and leaves: xtvec, xscratch, xepc, xcause, xtval.
//
// The addresses of the two sets differ in bits 9:8 alone, and so do these modules. Reads are combinational, writes and
// traps take effect at the end of the cycle.
module trap_regs
  import csrs_pkg::*;
  import core_pkg::*;
#(
  parameter priv_e Level = PRIV_M
) (
  input  logic clk_i,
  input  logic rst_ni,
  input  logic [11:0] addr_i,
  input  logic write_i,
  input  word_t wdata_i,
  output logic hit_o,                   // addr_i is one of these
  output word_t rdata_o,
  output word_t written_o,              // what it holds after the write
  input  logic trap_i,                  // to this level
  input  logic trap_interrupt_i,
  input  cause_t trap_cause_i,
  input  word_t trap_tval_i,
  input  word_t trap_epc_i,
  output word_t trap_pc_o,              // where that trap goes
  output word_t epc_o                   // where the return goes
);
  localparam bit M = Level == PRIV_M;
  localparam logic [11:0] Tvec = M ? CsrMtvec : CsrStvec, Scratch = M ? CsrMscratch : CsrSscratch,
                          Epc = M ? CsrMepc : CsrSepc, Cause = M ? CsrMcause : CsrScause,
                          Tval = M ? CsrMtval : CsrStval;
  localparam word_t TvecMask = M ? CsrMtvecMask : CsrStvecMask, EpcMask = M ? CsrMepcMask : CsrSepcMask,
                    CauseMask = M ? CsrMcauseMask : CsrScauseMask;

  word_t tvec_q, scratch_q, epc_q, cause_q, tval_q;

  always_comb begin
    hit_o = 1'b1;
    case (addr_i)
      Tvec: rdata_o = tvec_q;
      Scratch: rdata_o = scratch_q;
      Epc: rdata_o = epc_q;
      Cause: rdata_o = cause_q;
      Tval: rdata_o = tval_q;
      default: begin
        hit_o = 1'b0;
        rdata_o = '0;
      end
    endcase
    case (addr_i)
      Tvec: written_o = wdata_i & TvecMask;
      Epc: written_o = wdata_i & EpcMask;
      Cause: written_o = wdata_i & CauseMask;
      default: written_o = wdata_i;
    endcase
  end

  assign trap_pc_o = {tvec_q[63:2], 2'b00} + ((tvec_q[0] && trap_interrupt_i) ? {56'd0, trap_cause_i, 2'b00} : '0);
  assign epc_o = epc_q;

  always_ff @(posedge clk_i)
    if (!rst_ni) begin
      tvec_q <= M ? CsrMtvecReset : CsrStvecReset;
      scratch_q <= M ? CsrMscratchReset : CsrSscratchReset;
      epc_q <= M ? CsrMepcReset : CsrSepcReset;
      cause_q <= M ? CsrMcauseReset : CsrScauseReset;
      tval_q <= M ? CsrMtvalReset : CsrStvalReset;
    end else begin
      if (write_i)
        case (addr_i)
          Tvec: tvec_q <= written_o;
          Scratch: scratch_q <= written_o;
          Epc: epc_q <= written_o;
          Cause: cause_q <= written_o;
          Tval: tval_q <= written_o;
          default: ;
        endcase
      if (trap_i) begin
        epc_q <= trap_epc_i & EpcMask;
        cause_q <= {trap_interrupt_i, 57'd0, trap_cause_i};
        tval_q <= trap_tval_i;
      end
    end
endmodule
