// fp_divsqrt with flat ports.
module fp_divsqrt_tb
  import fp_pkg::*;
(
  input  logic        clk_i,
  input  logic        rst_ni,
  input  logic        flush_i,
  input  logic        valid_i,
  input  logic        sqrt_i,
  input  logic        double_i,
  input  logic [63:0] a_i,
  input  logic [63:0] b_i,
  output logic        ready_o,
  output logic        valid_o,
  input  logic        ready_i,
  output logic [63:0] value_o
);
  fp_result_t result;
  fp_divsqrt u_dut (
    .clk_i, .rst_ni, .flush_i, .valid_i,
    .request_i('{op: sqrt_i ? FPU_SQRT : FPU_DIV, format: double_i ? FMT_D : FMT_S, rm: RM_RNE, a: a_i, b: b_i, c: '0}),
    .ready_o, .valid_o, .ready_i, .result_o(result)
  );
  assign value_o = result.value;
endmodule
