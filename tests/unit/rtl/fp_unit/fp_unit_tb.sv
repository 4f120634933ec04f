// fp_unit with the request as plain numbers.
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
  output logic f_valid_o,
  output logic [63:0] f_value_o,
  output logic [4:0] f_flags_o
);
  fp_request_t request;
  assign request = '{op: fp_op_e'(op_i), format: fp_format_e'(format_i), rm: fp_rm_e'(rm_i), a: a_i, b: b_i, c: c_i};
  fp_result_t result;
  assign f_value_o = result.value;
  assign f_flags_o = result.flags;
  fp_fma u_fp_fma (.clk_i, .rst_ni, .valid_i, .request_i(request), .valid_o(f_valid_o), .result_o(result));
endmodule
