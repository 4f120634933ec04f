// blame_rule with the fields that it reads as plain ports. Two lanes: made for the configuration small2.
module blame_rule_tb
  import config_pkg::*;
  import records_pkg::*;
(
  input  logic       clk_i,
  input  logic       rst_ni,
  input  logic [1:0] commit_i,
  input  logic [1:0] mispredict_i,
  input  logic [1:0] flush_i,
  input  logic       oldest_i,
  input  logic       rob_empty_i,
  input  logic       exception_i,
  input  logic       redirect_i,
  input  logic       dispatch_i,
  output logic       broken_o
);
  commit_bundle_t bundle;
  always_comb begin
    bundle = '0;
    bundle.commit = commit_i;
    bundle.mispredict = mispredict_i;
    bundle.flush = flush_i;
    bundle.oldest = oldest_i;
    bundle.rob_empty = rob_empty_i;
    bundle.exception = exception_i;
    bundle.redirect = redirect_i;
    bundle.dispatch_valid[0] = dispatch_i;
  end
  blame_rule u_rule (.clk_i(clk_i), .rst_ni(rst_ni), .bundle_i(bundle), .broken_o(broken_o));
endmodule
