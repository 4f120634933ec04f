// Triggers on the address of an instruction (RISC-V debug specification 1.0, Sdtrig), whose hits the counters count.
//
// Each is an mcontrol6 (type 6) that matches an instruction of exactly its address in the modes that m, s and u name,
// as it commits. Its action is 8 or 9, external trigger output 0 or 1: no trap is taken and nothing stops. The outputs
// are events of the counters (TRIGGER_0, TRIGGER_1), so that a counter's overflow interrupts at the Nth hit, and
// nothing happens at those before. An instruction that several triggers with the same action match is one hit. What
// else tdata1 has is read-only (WARL): no other type, match, size or chain, no loads and stores, no dmode, no hit bits.
//
//   tselect -> tdata1, tdata2 of one trigger        committing lanes, their pc, mode -> compare -> hits_o
//
// Combinational from the bundle. A write takes effect at the end of its cycle, so that its own instruction is compared
// with the values before it. Count 0: there are no such registers, and nothing is left of this module.
module sdtrig
  import config_pkg::*;
  import records_pkg::*;
  import csrs_pkg::*;
  import core_pkg::*;
#(
  parameter int unsigned Count = Triggers  // 0, or a power of two up to 8
) (
  /* verilator lint_off UNUSEDSIGNAL */  // one record for all observers; this one reads what commits. Count 0: nothing
  input  logic           clk_i,
  input  logic           rst_ni,
  input  commit_bundle_t bundle_i,
  input  csr_req_t       req_i,
  /* verilator lint_on UNUSEDSIGNAL */
  output word_t          rdata_o,                // of req_i.addr; 0 for an address that is not here
  output logic [1:0][CoreWidth-1:0] hits_o       // by output: the lanes that hit
);
  localparam int unsigned Entries = Count == 0 ? 1 : Count, SelectBits = Entries == 1 ? 1 : $clog2(Entries);
  localparam int unsigned Output = 12, M = 6, S = 4, U = 3, Execute = 2;  // bits of tdata1 that can be written
  typedef logic [CoreWidth-1:0] lanes_t;
  typedef struct packed {
    logic out;  // bit 0 of the action
    logic m;
    logic s;
    logic u;
    logic execute;
  } control_t;

  if (Count != 0) begin : gen_triggers
    logic [SelectBits-1:0] select_q;
    control_t [Entries-1:0] control_q;
    logic [Entries-1:0][63:0] address_q;

    // ---- registers ----
    logic write;
    assign write = req_i.write && csr_in_sdtrig(req_i.addr);
    always_ff @(posedge clk_i) begin
      if (!rst_ni) begin
        select_q <= '0;
        control_q <= '0;
        address_q <= '0;
      end else if (write) begin
        case (req_i.addr)
          CsrTselect: select_q <= SelectBits'(32'(req_i.wdata) & (Entries - 1));
          CsrTdata1:
            control_q[select_q] <= '{out: req_i.wdata[Output], m: req_i.wdata[M], s: req_i.wdata[S],
                                     u: req_i.wdata[U], execute: req_i.wdata[Execute]};
          CsrTdata2: address_q[select_q] <= req_i.wdata;
          default: ;
        endcase
      end
    end

    function automatic word_t control_word(input control_t control);
      control_word = CsrTdata1Reset;
      control_word[Output] = control.out;
      control_word[M] = control.m;
      control_word[S] = control.s;
      control_word[U] = control.u;
      control_word[Execute] = control.execute;
    endfunction

    always_comb
      case (req_i.addr)
        CsrTselect: rdata_o = 64'(select_q);
        CsrTdata1: rdata_o = control_word(control_q[select_q]);
        CsrTdata2: rdata_o = address_q[select_q];
        CsrTinfo: rdata_o = CsrTinfoReset;
        default: rdata_o = '0;
      endcase

    // ---- what commits ----
    /* verilator lint_off UNUSEDSIGNAL */  // does not ask about the output
    function automatic logic applies(input control_t control, input logic [1:0] mode);
    /* verilator lint_on UNUSEDSIGNAL */
      case (mode)
        PRIV_M: applies = control.execute && control.m;
        PRIV_S: applies = control.execute && control.s;
        default: applies = control.execute && control.u;
      endcase
    endfunction

    lanes_t commits;
    logic [Entries-1:0] active;
    assign commits = bundle_i.commit & bundle_i.first;
    for (genvar t = 0; t < Entries; t++) begin : gen_active
      assign active[t] = applies(control_q[t], bundle_i.priv);
    end
    always_comb begin
      hits_o = '0;
      if (active != '0 && commits != '0) begin
        for (int t = 0; t < Entries; t++) begin
          for (int lane = 0; lane < CoreWidth; lane++) begin
            if (active[t] && commits[lane] && bundle_i.pc[lane] == address_q[t]) hits_o[control_q[t].out][lane] = 1'b1;
          end
        end
      end
    end

    `include "assert.svh"
    `ASSERT(OnlyWhatCommits, ((hits_o[0] | hits_o[1]) & ~bundle_i.commit) == '0)
  end else begin : gen_none
    assign rdata_o = '0;
    assign hits_o = '0;
  end
endmodule
