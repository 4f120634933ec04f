// The floating-point port: one request a cycle, whatever the operation; results tagged as the requests were.
//
//   f_*_o  results for floating-point registers, in the fourth cycle (EX4) after the operands' (EX1); division and
//          square root whenever they are done and EX4 is free (late_o)
//   x_*_o  results for integer registers (compare, classify, convert, move), in the second cycle (EX2)
//
// Fixed latency for each port, so that the issue logic can wake dependents at issue and no result waits. Nothing is
// killed here: the core drops what has been squashed, except division and square root, which it flushes by div_tag_o.
// While div_busy_o no division or square root may be issued; everything else may.
module fp_unit
  import fp_pkg::*;
#(
  parameter type tag_t = logic [7:0],
  parameter bit HasDiv = 1'b1
) (
  input  logic clk_i,
  input  logic rst_ni,
  // EX1
  input  logic valid_i,
  input  fp_request_t request_i,
  input  tag_t tag_i,
  // division and square root
  output logic div_busy_o,
  output tag_t div_tag_o,
  /* verilator lint_off UNUSEDSIGNAL */  // only with HasDiv
  input  logic div_flush_i,
  /* verilator lint_on UNUSEDSIGNAL */
  // EX4
  output logic f_valid_o,
  output logic f_late_o,
  output tag_t f_tag_o,
  output fp_result_t f_result_o,
  // EX2
  output logic x_valid_o,
  output tag_t x_tag_o,
  output fp_result_t x_result_o
);
  // ---- who does it ----
  logic to_fma, to_div, to_convert, to_misc, to_x;
  always_comb begin
    to_fma = 1'b0;
    to_div = 1'b0;
    to_convert = 1'b0;
    to_misc = 1'b0;
    if (valid_i)
      case (request_i.op)
        FPU_MADD, FPU_MSUB, FPU_NMSUB, FPU_NMADD, FPU_ADD, FPU_SUB, FPU_MUL: to_fma = 1'b1;
        FPU_DIV, FPU_SQRT: to_div = 1'b1;
        FPU_W_TO_F, FPU_WU_TO_F, FPU_L_TO_F, FPU_LU_TO_F, FPU_F_TO_F, FPU_F_TO_W, FPU_F_TO_WU, FPU_F_TO_L,
        FPU_F_TO_LU:
          to_convert = 1'b1;
        default: to_misc = 1'b1;
      endcase
    to_x = valid_i && request_i.op >= FPU_EQ;
  end

  logic fma_valid, convert_valid;
  fp_result_t fma_result, convert_result, misc_result;
  fp_fma u_fma (.clk_i, .rst_ni, .valid_i(to_fma), .request_i, .valid_o(fma_valid), .result_o(fma_result));
  fp_int u_int (.clk_i, .rst_ni, .valid_i(to_convert), .request_i, .valid_o(convert_valid),
                .result_o(convert_result));
  fp_misc u_misc (.valid_i(to_misc), .request_i, .result_o(misc_result));

  // ---- tags travel along; what is done early waits for its cycle ----
  logic valid2_q, valid3_q, valid4_q, x2_q;
  tag_t tag2_q, tag3_q, tag4_q;
  fp_result_t misc2_q, early2, early3_q, early4_q;
  assign early2 = convert_valid ? convert_result : misc2_q;
  always_ff @(posedge clk_i) begin
    valid2_q <= rst_ni && valid_i && !to_div;
    valid3_q <= rst_ni && valid2_q && !x2_q;
    valid4_q <= rst_ni && valid3_q;
    if (valid_i) begin
      x2_q <= to_x;
      tag2_q <= tag_i;
    end
    if (to_misc) misc2_q <= misc_result;
    if (valid2_q) begin
      tag3_q <= tag2_q;
      early3_q <= early2;
    end
    if (valid3_q) begin
      tag4_q <= tag3_q;
      early4_q <= early3_q;
    end
  end

  assign x_valid_o = valid2_q && x2_q;
  assign x_tag_o = tag2_q;
  assign x_result_o = early2;

  // ---- division and square root: into the next hole ----
  logic div_done;
  fp_result_t div_result;
  if (HasDiv) begin : gen_div
    logic div_ready;
    fp_divsqrt u_divsqrt (
      .clk_i,
      .rst_ni,
      .flush_i(div_flush_i),
      .valid_i(to_div),
      .request_i,
      .ready_o(div_ready),
      .valid_o(div_done),
      .ready_i(!valid4_q),
      .result_o(div_result)
    );
    tag_t div_tag_q;
    always_ff @(posedge clk_i) if (to_div) div_tag_q <= tag_i;
    assign div_busy_o = !div_ready;
    assign div_tag_o = div_tag_q;
  end else begin : gen_no_div
    assign div_busy_o = 1'b1;
    assign div_tag_o = '0;
    assign div_done = 1'b0;
    assign div_result = '0;
  end

  assign f_late_o = div_done && !valid4_q;
  assign f_valid_o = valid4_q || f_late_o;
  always_comb begin
    f_tag_o = tag4_q;
    f_result_o = fma_valid ? fma_result : early4_q;
    if (f_late_o) begin
      f_tag_o = div_tag_o;
      f_result_o = div_result;
    end
  end

  `include "assert.svh"
  `ASSERT(DivisionOnlyWhenIdle, !(to_div && div_busy_o))
endmodule
