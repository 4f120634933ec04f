// pmu_slots with plain ports of fixed size, so that one bench serves every width.
module pmu_slots_tb
  import config_pkg::*;
  import records_pkg::*;
(
  input  logic        clk_i,
  input  logic        rst_ni,
  output logic [3:0]  width_o,
  input  logic        wanted_i,
  input  logic [7:0]  commit_i,
  input  logic [7:0]  flush_i,
  input  logic [31:0] insn_i [8],
  input  logic [2:0]  oldest_i,
  input  logic        rob_empty_i,
  input  logic        exception_i,
  input  logic        redirect_i,
  input  logic [7:0]  dispatch_valid_i,
  input  logic [63:0] dispatch_pc_i [8],
  output logic [7:0]  dispatched_o,
  output logic [7:0]  latency_o,
  output logic [7:0]  bandwidth_o,
  output logic [7:0]  memory_o,
  output logic [7:0]  recovery_branch_o,
  output logic [7:0]  recovery_clear_o,
  output logic        branch_redirect_o,
  output logic        clear_o
);
  commit_bundle_t bundle;
  typedef logic [CoreWidth-1:0] lanes_t;
  lanes_t dispatched, latency, bandwidth, memory, recovery_branch, recovery_clear;
  assign width_o = 4'(CoreWidth);
  always_comb begin
    bundle = '0;
    bundle.commit = commit_i[CoreWidth-1:0];
    bundle.flush = flush_i[CoreWidth-1:0];
    bundle.oldest = oldest_i[LaneBits-1:0];
    bundle.rob_empty = rob_empty_i;
    bundle.exception = exception_i;
    bundle.redirect = redirect_i;
    bundle.dispatch_valid = dispatch_valid_i[CoreWidth-1:0];
    for (int i = 0; i < CoreWidth; i++) begin
      bundle.insn[i] = insn_i[i];
      bundle.dispatch_pc[i] = dispatch_pc_i[i];
    end
  end
  pmu_slots u_pmu_slots (
    .clk_i(clk_i), .rst_ni(rst_ni), .bundle_i(bundle), .wanted_i(wanted_i), .dispatched_o(dispatched),
    .latency_o(latency), .bandwidth_o(bandwidth), .memory_o(memory), .recovery_branch_o(recovery_branch),
    .recovery_clear_o(recovery_clear), .branch_redirect_o(branch_redirect_o), .clear_o(clear_o)
  );
  assign dispatched_o = 8'(dispatched);
  assign latency_o = 8'(latency);
  assign bandwidth_o = 8'(bandwidth);
  assign memory_o = 8'(memory);
  assign recovery_branch_o = 8'(recovery_branch);
  assign recovery_clear_o = 8'(recovery_clear);
endmodule
