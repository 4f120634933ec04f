// profile_top with its records as plain ports of fixed size, so that one bench serves every width.
module profile_top_tb
  import config_pkg::*;
  import events_pkg::*;
  import records_pkg::*;
  import core_pkg::*;
(
  input  logic        clk_i,
  input  logic        rst_ni,
  output logic [3:0]  width_o,
  output logic        tea_o,            // samples wait for the complete vector
  // bundle
  input  logic [7:0]  valid_i,
  input  logic [7:0]  commit_i,
  input  logic [7:0]  mispredict_i,
  input  logic [7:0]  flush_i,
  input  logic [7:0]  first_i,
  input  logic [63:0] pc_i [8],
  input  logic [15:0] psv_i [8],
  input  logic [2:0]  oldest_i,
  input  logic        rob_empty_i,
  input  logic        exception_i,
  input  logic [63:0] exception_pc_i,
  input  logic [15:0] exception_psv_i,
  input  logic [7:0]  dispatch_valid_i,
  input  logic [63:0] dispatch_pc_i [8],
  input  logic [1:0]  priv_i,
  input  logic [63:0] space_i,
  input  logic [1:0]  stale_i,      // the oldest, the offender
  output logic        reads_o,
  input  logic        trigger_i,
  // CSRs: the core's port and the harness's
  input  logic [11:0] csr_addr_i,
  input  logic        csr_write_i,
  input  logic [63:0] csr_wdata_i,
  output logic [63:0] csr_rdata_o,
  input  logic [11:0] hrd_addr_i,
  output logic [63:0] hrd_data_o,
  output logic        lcofi_o,
  output logic        trigger_o,
  output logic        sample_taken_o,
  output logic        sample_ready_o,
  // sample and OIR of this cycle
  output logic [1:0]  state_o,
  output logic [7:0]  lanes_o,
  output logic [2:0]  oldest_o,
  output logic [2:0]  flags_o,      // exception, flush, mispredict
  output logic [1:0]  priv_o,
  output logic [63:0] space_o,
  output logic [63:0] addr_o [8],
  output logic [15:0] psv_o [8],
  output logic        oir_valid_o,
  output logic [2:0]  oir_flags_o,
  output logic [63:0] oir_pc_o,
  output logic [15:0] oir_psv_o
);
  commit_bundle_t bundle;
  sample_t sample;
  oir_t oir;
  csr_req_t req;
  assign width_o = 4'(CoreWidth);
  assign tea_o = Tea != 0;
  assign req = '{addr: csr_addr_i, write: csr_write_i, wdata: csr_wdata_i};
  always_comb begin
    bundle = '0;
    bundle.valid = valid_i[CoreWidth-1:0];
    bundle.commit = commit_i[CoreWidth-1:0];
    bundle.mispredict = mispredict_i[CoreWidth-1:0];
    bundle.flush = flush_i[CoreWidth-1:0];
    bundle.first = first_i[CoreWidth-1:0];
    bundle.oldest = oldest_i[LaneBits-1:0];
    bundle.rob_empty = rob_empty_i;
    bundle.exception = exception_i;
    bundle.exception_pc = exception_pc_i;
    bundle.exception_psv = exception_psv_i[PsvBits-1:0];
    bundle.dispatch_valid = dispatch_valid_i[CoreWidth-1:0];
    bundle.priv = priv_i;
    bundle.space = space_i[SpaceBits-1:0];
    for (int i = 0; i < CoreWidth; i++) begin
      bundle.pc[i] = pc_i[i];
      bundle.psv[i] = psv_i[i][PsvBits-1:0];
      bundle.dispatch_pc[i] = dispatch_pc_i[i];
    end
  end
  profile_top u_profile_top (
    .clk_i(clk_i), .rst_ni(rst_ni), .bundle_i(bundle), .stale_i(stale_i), .coherence_i('0), .reads_o(reads_o),
    .trigger_i(trigger_i), .csr_req_i(req), .csr_rdata_o(csr_rdata_o), .lcofi_o(lcofi_o), .sample_o(sample),
    .oir_o(oir), .trigger_o(trigger_o), .sample_taken_o(sample_taken_o), .sample_ready_o(sample_ready_o)
  );
  // What the harness reads: losses of the cycle before are not counted yet.
  assign hrd_data_o = (u_profile_top.u_tip_csrs.read(hrd_addr_i, 1'b0) | u_profile_top.u_pmu.read(hrd_addr_i)) +
                      64'(hrd_addr_i == csrs_pkg::CsrTipoffCollisions && u_profile_top.u_tip_csrs.lost_q);
  assign state_o = sample.state;
  assign lanes_o = 8'(sample.valid);
  assign oldest_o = 3'(sample.oldest);
  assign flags_o = {sample.exception, sample.flush, sample.mispredict};
  assign priv_o = sample.priv;
  assign space_o = 64'(sample.space);
  assign oir_valid_o = oir.valid;
  assign oir_flags_o = {oir.exception, oir.flush, oir.mispredict};
  assign oir_pc_o = oir.pc;
  assign oir_psv_o = 16'(oir.psv);
  for (genvar i = 0; i < 8; i++) begin : gen_lane
    if (i < CoreWidth) begin : gen_used
      assign addr_o[i] = sample.addr[i];
      assign psv_o[i] = 16'(sample.psv[i]);
    end else begin : gen_unused
      assign addr_o[i] = '0;
      assign psv_o[i] = '0;
    end
  end
endmodule
