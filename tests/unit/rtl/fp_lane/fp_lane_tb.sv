// fp_lane with flat ports; op is a number of fp_op_e, all in format D.
module fp_lane_tb
  import config_pkg::*;
  import core_pkg::*;
  import fp_pkg::*;
  import port_pkg::*;
  import issue_pkg::*;
(
  input  logic        clk_i,
  input  logic        rst_ni,
  input  logic        squash_i,
  input  logic [15:0] squash_rob_i,
  input  logic        rr_i,
  input  logic [7:0]  op_i,
  input  logic [15:0] rob_i,
  input  logic [15:0] pd_i,
  input  logic        writes_i,
  output logic        div_free_o,
  output logic        f_wake_o,
  output logic [15:0] f_wake_tag_o,
  output logic        x_wake_o,
  output logic [15:0] x_wake_tag_o,
  output logic        late_wake_o,
  output logic        f_write_o,
  output logic [15:0] f_pd_o,
  output logic        f_done_o,
  output logic [15:0] f_rob_o,
  output logic        x_write_o,
  output logic [15:0] x_pd_o,
  output logic        x_done_o,
  output logic [15:0] x_rob_o,
  output logic [15:0] entries_o,
  output logic [7:0]  first_x_o,   // ops from here on have integer results
  output logic [7:0]  ops_o,
  output logic [7:0]  div_o,
  output logic [7:0]  sqrt_o
);
  squash_t squash;
  fp_uop_t uop;
  result_t f_result, x_result;
  preg_t f_tag, x_tag;
  rob_idx_t f_rob, x_rob;
  /* verilator lint_off UNUSEDSIGNAL */  // fp_unit's test looks at them
  fp_flags_t f_flags, x_flags;
  /* verilator lint_on UNUSEDSIGNAL */
  // A position 0 .. 2 x RobEntries - 1 as an index with its wrap bit.
  function automatic rob_idx_t index(input logic [15:0] position);
    index.wrap = 32'(position) >= RobEntries;
    index.idx = (RobIdxBits - 1)'(32'(position) >= RobEntries ? 32'(position) - RobEntries : 32'(position));
  endfunction
  function automatic logic [15:0] position(input rob_idx_t i);
    position = 16'(i.idx) + (i.wrap ? 16'(RobEntries) : 16'd0);
  endfunction
  always_comb begin
    squash = '0;
    squash.valid = squash_i;
    squash.rob = index(squash_rob_i);
    uop = '0;
    uop.op = fp_op_e'(op_i);
    uop.format = FMT_D;
    uop.rob = index(rob_i);
    uop.pd = preg_t'(pd_i);
    uop.pd_valid = writes_i;
  end
  fp_lane u_fp_lane (
    .clk_i, .rst_ni, .squash_i(squash), .rr_valid_i(rr_i), .rr_uop_i(uop), .rr_data1_i(64'h4008_0000_0000_0000),
    .rr_data2_i(64'h4000_0000_0000_0000), .rr_data3_i(64'h3ff0_0000_0000_0000), .frm_i(3'd0), .div_free_o,
    .f_result_o(f_result), .f_done_o, .f_rob_o(f_rob), .f_flags_o(f_flags), .f_wake_o, .f_wake_tag_o(f_tag), .x_wake_o,
    .x_wake_tag_o(x_tag), .late_wake_o, .x_result_o(x_result), .x_done_o, .x_rob_o(x_rob), .x_flags_o(x_flags)
  );
  assign f_wake_tag_o = 16'(f_tag);
  assign x_wake_tag_o = 16'(x_tag);
  assign f_write_o = f_result.valid;
  assign f_pd_o = 16'(f_result.pd);
  assign f_rob_o = position(f_rob);
  assign x_write_o = x_result.valid;
  assign x_pd_o = 16'(x_result.pd);
  assign x_rob_o = position(x_rob);
  assign entries_o = 16'(RobEntries);
  assign first_x_o = 8'(FPU_EQ);
  assign ops_o = 8'(FPU_F_TO_LU) + 8'd1;
  assign div_o = 8'(FPU_DIV);
  assign sqrt_o = 8'(FPU_SQRT);
endmodule
