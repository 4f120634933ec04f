// Indirect access to registers (Smcsrind, Sscsrind): siselect and miselect, and what an access to sireg, mireg and so
// on reaches.
//
// Combinational but for the two select registers. A unit answers an access to what is its own, and 0 to all others: so
// a number that no unit has reads 0, and a write to it does nothing (the specification leaves that open). No virtual
// supervisor, no state enable. Without config_pkg's Window there are no such CSRs, and of this module nothing is left.
module csr_window
  import config_pkg::*;
  import csrs_pkg::*;
  import core_pkg::*;
  import profile_pkg::*;
(
  /* verilator lint_off UNUSEDSIGNAL */  // without Window nothing is read
  input  logic        clk_i,
  input  logic        rst_ni,
  input  csr_req_t    req_i,
  output word_t       rdata_o,       // of req_i.addr; 0 for an address that is not here
  output window_req_t window_o,
  input  word_t       window_rdata_i // the units' answers together
  /* verilator lint_on UNUSEDSIGNAL */
);
  logic [11:0] siselect_q, miselect_q;

  // 1 to 6 for ireg to ireg6: their addresses leave one out, which is another register's.
  function automatic logic [2:0] number_of(input logic [11:0] addr);
    case (addr)
      CsrSireg, CsrMireg: number_of = 3'd1;
      CsrSireg2, CsrMireg2: number_of = 3'd2;
      CsrSireg3, CsrMireg3: number_of = 3'd3;
      CsrSireg4, CsrMireg4: number_of = 3'd4;
      CsrSireg5, CsrMireg5: number_of = 3'd5;
      CsrSireg6, CsrMireg6: number_of = 3'd6;
      default: number_of = '0;
    endcase
  endfunction

  if (Window != 0) begin : gen_window
    always_ff @(posedge clk_i) begin
      if (!rst_ni) begin
        siselect_q <= '0;
        miselect_q <= '0;
      end else if (req_i.write) begin
        if (req_i.addr == CsrSiselect) siselect_q <= req_i.wdata[11:0];
        if (req_i.addr == CsrMiselect) miselect_q <= req_i.wdata[11:0];
      end
    end

    always_comb begin
      window_o = '0;
      if (csr_in_csr_window(req_i.addr)) begin
        window_o.number = number_of(req_i.addr);
        window_o.machine = req_i.addr >= CsrMiselect;
        window_o.select = window_o.machine ? miselect_q : siselect_q;
        window_o.write = req_i.write && window_o.number != '0;
        window_o.wdata = req_i.wdata;
      end
    end

    always_comb begin
      rdata_o = '0;
      if (csr_in_csr_window(req_i.addr)) rdata_o = number_of(req_i.addr) != '0 ? window_rdata_i : read(req_i.addr);
    end
  end else begin : gen_none
    assign siselect_q = '0;
    assign miselect_q = '0;
    assign window_o = '0;
    assign rdata_o = '0;
  end

  // For whoever reads between two cycles (sim/harness_unit.sv): a select register; 0 of any other address.
  function automatic word_t read(input logic [11:0] addr);
    read = addr == CsrSiselect ? 64'(siselect_q) : addr == CsrMiselect ? 64'(miselect_q) : '0;
  endfunction
endmodule
