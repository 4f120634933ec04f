// fp_unit with requests and results as plain numbers.
module fp_unit_tb
  import fp_pkg::*;
(
  input  logic clk_i,
  input  logic rst_ni,
  input  logic valid_i,
  input  logic [5:0] op_i,
  input  logic format_i,
  input  logic [2:0] rm_i,
  input  logic [63:0] a_i,
  input  logic [63:0] b_i,
  input  logic [63:0] c_i,
  input  logic [31:0] tag_i,
  output logic [5:0] last_op_o,  // for the bench to check its list
  output logic div_busy_o,
  output logic [31:0] div_tag_o,
  input  logic div_flush_i,
  output logic f_valid_o,
  output logic f_late_o,
  output logic [31:0] f_tag_o,
  output logic [63:0] f_value_o,
  output logic [4:0] f_flags_o,
  output logic x_valid_o,
  output logic [31:0] x_tag_o,
  output logic [63:0] x_value_o,
  output logic [4:0] x_flags_o
);
  fp_request_t request;
  assign request = '{op: fp_op_e'(op_i), format: fp_format_e'(format_i), rm: fp_rm_e'(rm_i), a: a_i, b: b_i, c: c_i};
  fp_result_t f_result, x_result;
  assign f_value_o = f_result.value;
  assign f_flags_o = f_result.flags;
  assign x_value_o = x_result.value;
  assign x_flags_o = x_result.flags;
  assign last_op_o = FPU_F_TO_LU;

  fp_unit #(
    .tag_t(logic [31:0])
  ) u_fp_unit (
    .clk_i,
    .rst_ni,
    .valid_i,
    .request_i(request),
    .tag_i,
    .div_busy_o,
    .div_tag_o,
    .div_flush_i,
    .f_valid_o,
    .f_late_o,
    .f_tag_o,
    .f_result_o(f_result),
    .x_valid_o,
    .x_tag_o,
    .x_result_o(x_result)
  );
endmodule
