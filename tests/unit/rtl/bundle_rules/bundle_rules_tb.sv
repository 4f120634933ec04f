// bundle_rules with its record as plain ports. Two lanes: made for the configuration small2.
module bundle_rules_tb
  import config_pkg::*;
  import records_pkg::*;
(
  input  logic        clk_i,
  input  logic        rst_ni,
  input  logic [1:0]  valid_i,
  input  logic [1:0]  commit_i,
  input  logic [1:0]  flush_i,
  input  logic [63:0] pc0_i,
  input  logic [63:0] pc1_i,
  input  logic        oldest_i,
  input  logic        rob_empty_i,
  input  logic        exception_i,
  input  logic [63:0] exception_pc_i,
  input  logic        dispatch_valid_i,
  input  logic [63:0] dispatch_pc_i,
  output logic [7:1]  broken_o
);
  commit_bundle_t bundle;
  always_comb begin
    bundle = '0;
    bundle.valid = valid_i;
    bundle.commit = commit_i;
    bundle.flush = flush_i;
    bundle.pc[0] = pc0_i;
    bundle.pc[1] = pc1_i;
    bundle.oldest = oldest_i;
    bundle.rob_empty = rob_empty_i;
    bundle.exception = exception_i;
    bundle.exception_pc = exception_pc_i;
    bundle.dispatch_valid[0] = dispatch_valid_i;
    bundle.dispatch_pc[0] = dispatch_pc_i;
  end
  bundle_rules u_rules (.clk_i(clk_i), .rst_ni(rst_ni), .bundle_i(bundle), .broken_o(broken_o));
endmodule
