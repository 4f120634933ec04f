// oir_update with plain ports of fixed size, so that one bench serves every width.
module oir_update_tb
  import config_pkg::*;
  import events_pkg::*;
  import records_pkg::*;
(
  input  logic        clk_i,
  input  logic        rst_ni,
  output logic [3:0]  width_o,
  input  logic [7:0]  valid_i,
  input  logic [7:0]  commit_i,
  input  logic [7:0]  mispredict_i,
  input  logic [7:0]  flush_i,
  input  logic [63:0] pc_i [8],
  input  logic [15:0] psv_i [8],
  input  logic [2:0]  oldest_i,
  input  logic        exception_i,
  input  logic [63:0] exception_pc_i,
  input  logic [15:0] exception_psv_i,
  input  logic [1:0]  priv_i,
  input  logic [63:0] space_i,
  output logic        valid_o,
  output logic [63:0] pc_o,
  output logic        mispredict_o,
  output logic        flush_o,
  output logic        exception_o,
  output logic [15:0] psv_o,
  output logic [1:0]  priv_o,
  output logic [63:0] space_o
);
  commit_bundle_t bundle;
  oir_t oir;
  assign width_o = 4'(CoreWidth);
  always_comb begin
    bundle = '0;
    bundle.valid = valid_i[CoreWidth-1:0];
    bundle.commit = commit_i[CoreWidth-1:0];
    bundle.mispredict = mispredict_i[CoreWidth-1:0];
    bundle.flush = flush_i[CoreWidth-1:0];
    bundle.oldest = oldest_i[LaneBits-1:0];
    bundle.exception = exception_i;
    bundle.exception_pc = exception_pc_i;
    bundle.priv = priv_i;
    bundle.space = space_i[SpaceBits-1:0];
    bundle.exception_psv = exception_psv_i[PsvBits-1:0];
    for (int i = 0; i < CoreWidth; i++) begin
      bundle.pc[i] = pc_i[i];
      bundle.psv[i] = psv_i[i][PsvBits-1:0];
    end
  end
  oir_update u_oir_update (.clk_i(clk_i), .rst_ni(rst_ni), .bundle_i(bundle), .oir_o(oir));
  assign valid_o = oir.valid;
  assign pc_o = oir.pc;
  assign mispredict_o = oir.mispredict;
  assign flush_o = oir.flush;
  assign exception_o = oir.exception;
  assign psv_o = 16'(oir.psv);
  assign priv_o = oir.priv;
  assign space_o = 64'(oir.space);
endmodule
