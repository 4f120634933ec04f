// div with flat ports; op is a number of instructions_pkg.
module div_tb
  import instructions_pkg::*;
  import core_pkg::*;
  import port_pkg::*;
  import issue_pkg::*;
(
  input  logic        clk_i,
  input  logic        rst_ni,
  input  logic        squash_i,
  input  logic        squash_all_i,
  input  logic [4:0]  squash_rob_i,
  input  logic        valid_i,
  input  logic [7:0]  op_i,
  input  logic [4:0]  rob_i,
  input  logic [5:0]  pd_i,
  input  logic        pd_valid_i,
  input  logic [63:0] a_i,
  input  logic [63:0] b_i,
  output logic        busy_o,
  input  logic        write_ready_i,
  output logic        write_o,
  output logic [15:0] pd_o,
  output logic [63:0] data_o,
  output logic        done_o,
  output logic [4:0]  done_rob_o
);
  squash_t squash;
  int_uop_t uop;
  result_t result;
  rob_idx_t done_rob;
  always_comb begin
    squash = '0;
    squash.valid = squash_i;
    squash.all = squash_all_i;
    squash.rob = rob_idx_t'(squash_rob_i);
    uop = '0;
    uop.op = op_e'(op_i);
    uop.unit = UNIT_DIV;
    uop.rob = rob_idx_t'(rob_i);
    uop.pd = preg_t'(pd_i);
    uop.pd_valid = pd_valid_i;
  end
  div u_div (
    .clk_i, .rst_ni, .squash_i(squash), .valid_i, .uop_i(uop), .a_i, .b_i, .busy_o, .write_ready_i, .result_o(result),
    .done_valid_o(done_o), .done_rob_o(done_rob)
  );
  assign write_o = result.valid;
  assign pd_o = 16'(result.pd);
  assign data_o = result.data;
  assign done_rob_o = 5'(done_rob);
endmodule
