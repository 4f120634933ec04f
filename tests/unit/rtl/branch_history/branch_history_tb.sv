// branch_history with plain ports of fixed size.
module branch_history_tb
  import config_pkg::*;
  import core_pkg::*;
  import fetch_pkg::*;
(
  input  logic        clk_i,
  input  logic        rst_ni,
  output int          slots_o,
  output int          packets_o,       // that are remembered
  input  logic        push_i,
  input  logic [7:0]  push_idx_i,
  input  logic [15:0] branches_i,
  input  logic        taken_i,
  output logic [15:0] history_o,
  input  logic        redirect_i,
  input  logic [7:0]  redirect_idx_i,
  input  logic [5:0]  offset_i,
  input  logic        branch_i,
  input  logic        redirect_taken_i,
  input  logic        conditional_i
);
  redirect_t redirect;
  assign slots_o = FetchWidth;
  assign packets_o = FtqEntries;
  always_comb begin
    redirect = '0;
    redirect.valid = redirect_i;
    redirect.ftq = ftq_idx_t'(redirect_idx_i);
    redirect.branch = branch_i;
    redirect.taken = redirect_taken_i;
    redirect.offset = offset_i;
  end
  branch_history u_branch_history (
    .clk_i(clk_i), .rst_ni(rst_ni), .push_i(push_i), .push_idx_i(ftq_idx_t'(push_idx_i)),
    .branches_i(branches_i[FetchWidth-1:0]), .taken_i(taken_i), .history_o(history_o), .redirect_i(redirect),
    .conditional_i(conditional_i)
  );
endmodule
