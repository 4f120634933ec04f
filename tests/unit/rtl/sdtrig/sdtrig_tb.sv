// sdtrig with plain ports: one with all of the configuration's triggers, one with a single trigger, one with none.
module sdtrig_tb
  import config_pkg::*;
  import records_pkg::*;
  import core_pkg::*;
(
  input  logic        clk_i,
  input  logic        rst_ni,
  output logic [3:0]  width_o,
  output logic [3:0]  count_o,
  input  logic [7:0]  commit_i,
  input  logic [7:0]  first_i,
  input  logic [63:0] pc_i [8],
  input  logic [1:0]  priv_i,
  input  logic [11:0] addr_i,
  input  logic        write_i,
  input  logic [63:0] wdata_i,
  output logic [63:0] rdata_o,
  output logic [7:0]  hits_0_o,
  output logic [7:0]  hits_1_o,
  output logic [63:0] single_rdata_o,
  output logic [7:0]  single_hits_0_o,
  output logic [7:0]  single_hits_1_o,
  output logic        none_o            // something comes of the one with none
);
  commit_bundle_t bundle;
  csr_req_t req;
  logic [1:0][CoreWidth-1:0] hits, single, none;
  word_t none_rdata;
  assign width_o = 4'(CoreWidth);
  assign count_o = 4'(Triggers);
  always_comb begin
    bundle = '0;
    bundle.commit = commit_i[CoreWidth-1:0];
    bundle.first = first_i[CoreWidth-1:0];
    bundle.priv = priv_i;
    for (int i = 0; i < CoreWidth; i++) bundle.pc[i] = pc_i[i];
  end
  assign req = '{addr: addr_i, write: write_i, wdata: wdata_i};
  sdtrig u_sdtrig (.clk_i(clk_i), .rst_ni(rst_ni), .bundle_i(bundle), .req_i(req), .rdata_o(rdata_o), .hits_o(hits));
  sdtrig #(.Count(1)) u_single (.clk_i(clk_i), .rst_ni(rst_ni), .bundle_i(bundle), .req_i(req),
                                .rdata_o(single_rdata_o), .hits_o(single));
  sdtrig #(.Count(0)) u_none (.clk_i(clk_i), .rst_ni(rst_ni), .bundle_i(bundle), .req_i(req), .rdata_o(none_rdata),
                              .hits_o(none));
  assign {hits_1_o, hits_0_o} = {8'(hits[1]), 8'(hits[0])};
  assign {single_hits_1_o, single_hits_0_o} = {8'(single[1]), 8'(single[0])};
  assign none_o = none != '0 || none_rdata != '0;
endmodule
