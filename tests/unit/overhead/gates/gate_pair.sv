// The complete unit twice on the same inputs: as RTL and as the netlist that it was mapped to (module gates;
// scripts/overhead/gates.py).
//
// Combinational beside the two units: differs_o speaks of this cycle. Ports have a fixed size, so that one bench serves
// every width; what the toy reorder buffer (tests/unit/rtl/toy_rob.h) does not speak of comes from noise_i.
module gate_pair
  import config_pkg::*;
  import events_pkg::*;
  import records_pkg::*;
  import core_pkg::*;
(
  input  logic         clk_i,
  input  logic         rst_ni,
  input  logic [15:0]  broken_i,       // the gate that has another kind in the netlist; 0: none
  output logic [3:0]   width_o,
  input  logic [7:0]   valid_i,
  input  logic [7:0]   commit_i,
  input  logic [7:0]   mispredict_i,
  input  logic [7:0]   flush_i,
  input  logic [7:0]   first_i,
  input  logic [63:0]  pc_i [8],
  input  logic [15:0]  psv_i [8],
  input  logic [2:0]   oldest_i,
  input  logic         rob_empty_i,
  input  logic         exception_i,
  input  logic [63:0]  exception_pc_i,
  input  logic [15:0]  exception_psv_i,
  input  logic [7:0]   dispatch_valid_i,
  input  logic [63:0]  dispatch_pc_i [8],
  input  logic [1:0]   priv_i,
  input  logic [63:0]  space_i,
  input  logic [63:0]  noise_i [6],
  input  logic         trigger_i,
  input  logic [11:0]  csr_addr_i,
  input  logic         csr_write_i,
  input  logic [63:0]  csr_wdata_i,
  output logic         differs_o,      // any output of the two
  output logic [63:0]  rtl_rdata_o,
  output logic [63:0]  gate_rdata_o,
  output logic         rtl_lcofi_o,
  output logic         gate_lcofi_o
);
  commit_bundle_t bundle;
  csr_req_t request;
  always_comb begin
    bundle = '0;
    bundle.valid = valid_i[CoreWidth-1:0];
    bundle.commit = commit_i[CoreWidth-1:0];
    bundle.mispredict = mispredict_i[CoreWidth-1:0];
    bundle.flush = flush_i[CoreWidth-1:0];
    bundle.first = first_i[CoreWidth-1:0];
    for (int i = 0; i < CoreWidth; i++) begin
      bundle.pc[i] = pc_i[i];
      bundle.psv[i] = psv_i[i][PsvBits-1:0];
      bundle.dispatch_pc[i] = dispatch_pc_i[i];
      bundle.insn[i] = noise_i[i % 4][31:0] ^ noise_i[i % 3][63:32];
    end
    bundle.oldest = oldest_i[LaneBits-1:0];
    bundle.rob_empty = rob_empty_i;
    bundle.exception = exception_i;
    bundle.interrupt = exception_i && noise_i[4][0];
    bundle.replay = exception_i && noise_i[4][2:0] == 3'd2;
    bundle.cause = noise_i[4][8:3];
    bundle.exception_pc = exception_pc_i;
    bundle.exception_psv = exception_psv_i[PsvBits-1:0];
    bundle.priv = priv_i;
    bundle.space = space_i[SpaceBits-1:0];
    bundle.redirect = noise_i[4][9];
    bundle.fetch_valid = noise_i[4][10];
    bundle.fetch_pc = noise_i[5];
    bundle.dispatch_valid = dispatch_valid_i[CoreWidth-1:0];
    bundle.dispatch_rob = noise_i[4][11+:RobIdxBits];
    request = '{addr: csr_addr_i, write: csr_write_i, wdata: csr_wdata_i};
  end

  overhead_unit u_rtl (
    .clk_i(clk_i), .rst_ni(rst_ni), .bundle_i(bundle), .trigger_i(trigger_i), .csr_req_i(request),
    .csr_rdata_o(rtl_rdata_o), .lcofi_o(rtl_lcofi_o)
  );
  gates u_gates (
    .clk_i(clk_i), .rst_ni(rst_ni), .bundle_i(bundle), .trigger_i(trigger_i), .csr_req_i(request),
    .csr_rdata_o(gate_rdata_o), .lcofi_o(gate_lcofi_o), .broken_i(broken_i)
  );
  assign differs_o = rtl_rdata_o != gate_rdata_o || rtl_lcofi_o != gate_lcofi_o;
  assign width_o = 4'(CoreWidth);

  logic [7:1] broken;
  bundle_rules u_bundle_rules (.clk_i(clk_i), .rst_ni(rst_ni), .bundle_i(bundle), .broken_o(broken));
endmodule
