// ctr with plain ports of fixed size, so that one bench serves every width.
module ctr_tb
  import config_pkg::*;
  import records_pkg::*;
  import core_pkg::*;
  import profile_pkg::*;
(
  input  logic        clk_i,
  input  logic        rst_ni,
  output logic [3:0]  width_o,
  output logic [8:0]  depth_o,      // the most
  // commit bundle
  input  logic [7:0]  valid_i,
  input  logic [7:0]  commit_i,
  input  logic [7:0]  mispredict_i,
  input  logic [7:0]  flush_i,
  input  logic [63:0] pc_i [8],
  input  logic [31:0] insn_i [8],
  input  logic [2:0]  oldest_i,
  input  logic        exception_i,
  input  logic        interrupt_i,
  input  logic        replay_i,
  input  logic [5:0]  cause_i,
  input  logic [63:0] exception_pc_i,
  input  logic [1:0]  priv_i,
  // software
  input  logic [11:0] addr_i,
  input  logic        write_i,
  input  logic [63:0] wdata_i,
  output logic [63:0] rdata_o,
  input  logic [11:0] select_i,
  input  logic [2:0]  number_i,
  input  logic        machine_i,
  input  logic        window_write_i,
  output logic [63:0] window_rdata_o,
  // one of depth 0
  output logic [63:0] none_rdata_o,
  output logic [63:0] none_window_rdata_o
);
  commit_bundle_t bundle;
  csr_req_t req;
  window_req_t window;
  assign width_o = 4'(CoreWidth);
  assign depth_o = 9'(CtrDepth);
  always_comb begin
    bundle = '0;
    bundle.valid = valid_i[CoreWidth-1:0];
    bundle.commit = commit_i[CoreWidth-1:0];
    bundle.mispredict = mispredict_i[CoreWidth-1:0];
    bundle.flush = flush_i[CoreWidth-1:0];
    bundle.oldest = oldest_i[LaneBits-1:0];
    bundle.exception = exception_i;
    bundle.interrupt = interrupt_i;
    bundle.replay = replay_i;
    bundle.cause = cause_i;
    bundle.exception_pc = exception_pc_i;
    bundle.priv = priv_i;
    for (int i = 0; i < CoreWidth; i++) begin
      bundle.pc[i] = pc_i[i];
      bundle.insn[i] = insn_i[i];
    end
  end
  assign req = '{addr: addr_i, write: write_i, wdata: wdata_i};
  assign window = '{select: select_i, number: number_i, machine: machine_i, write: window_write_i, wdata: wdata_i};
  ctr u_ctr (.clk_i(clk_i), .rst_ni(rst_ni), .bundle_i(bundle), .req_i(req), .rdata_o(rdata_o), .window_i(window),
             .window_rdata_o(window_rdata_o));
  ctr #(.Depth(0)) u_none (.clk_i(clk_i), .rst_ni(rst_ni), .bundle_i(bundle), .req_i(req), .rdata_o(none_rdata_o),
                           .window_i(window), .window_rdata_o(none_window_rdata_o));
endmodule
