// One floating-point port: from register read to the results.
//
//   RR: operands | EX1 .. EX4: fp_unit | f_result_o in EX4 (late: a division), x_result_o in EX2
//       x_wake_o                EX2: f_wake_o                                   late_wake_o with a division's result
//
// Wakes come two cycles before their result, so that a dependent reads its operands in the cycle of the result, which
// is forwarded to it; how long a division takes is not known so early.
// What a squash kills on its way gives no result. A dynamic rounding mode is resolved in RR: a write of fcsr leaves
// nothing in flight.
module fp_lane
  import core_pkg::*;
  import fp_pkg::*;
  import port_pkg::*;
  import issue_pkg::*;
  import rob_pkg::*;
#(
  parameter bit HasDiv = 1'b1
) (
  input  logic clk_i,
  input  logic rst_ni,
  input  squash_t squash_i,
  // RR
  input  logic rr_valid_i,
  input  fp_uop_t rr_uop_i,
  input  word_t rr_data1_i,
  input  word_t rr_data2_i,
  input  word_t rr_data3_i,
  input  logic [2:0] frm_i,
  output logic div_free_o,               // a division may be granted
  // results: for f registers, for x registers
  output result_t f_result_o,
  output logic f_done_o,
  output rob_idx_t f_rob_o,
  output fp_flags_t f_flags_o,
  output logic f_wake_o,
  output preg_t f_wake_tag_o,
  output logic x_wake_o,
  output preg_t x_wake_tag_o,
  output logic late_wake_o,              // its tag is f_result_o's
  output result_t x_result_o,
  output logic x_done_o,
  output rob_idx_t x_rob_o,
  output fp_flags_t x_flags_o
);
  typedef struct packed {
    rob_idx_t rob;
    preg_t pd;
    logic writes;
  } tag_t;

  function automatic logic divides(input fp_op_e op);
    divides = op == FPU_DIV || op == FPU_SQRT;
  endfunction

  // ---- EX1 ----
  logic ex_valid_q, valid;
  fp_request_t request_q;
  tag_t tag_q;
  always_ff @(posedge clk_i) begin
    ex_valid_q <= rst_ni && rr_valid_i && !rob_killed(squash_i, rr_uop_i.rob);
    if (rr_valid_i) begin
      request_q <= '{op: rr_uop_i.op, format: rr_uop_i.format,
                     rm: fp_rm_e'(rr_uop_i.rm == 3'd7 ? frm_i : rr_uop_i.rm),
                     a: rr_data1_i, b: rr_data2_i, c: rr_data3_i};
      tag_q <= '{rob: rr_uop_i.rob, pd: rr_uop_i.pd, writes: rr_uop_i.pd_valid};
    end
  end
  assign valid = ex_valid_q && !rob_killed(squash_i, tag_q.rob);

  // ---- who has been killed since: the tags in EX2 .. EX4 as valid bits of our own ----
  logic alive2_q, alive3_q, alive4_q;
  tag_t tag2_q, tag3_q, tag4_q;
  always_ff @(posedge clk_i) begin
    alive2_q <= rst_ni && valid;
    alive3_q <= rst_ni && alive2_q && !rob_killed(squash_i, tag2_q.rob);
    alive4_q <= rst_ni && alive3_q && !rob_killed(squash_i, tag3_q.rob);
    if (valid) tag2_q <= tag_q;
    if (alive2_q) tag3_q <= tag2_q;
    if (alive3_q) tag4_q <= tag3_q;
  end

  logic f_valid, f_late, x_valid, div_busy, div_flush;

  // ---- wakes ----
  logic fixed2_q;  // its result comes in EX4
  always_ff @(posedge clk_i) if (valid) fixed2_q <= !divides(request_q.op) && request_q.op < FPU_EQ;
  assign f_wake_o = alive2_q && fixed2_q && tag2_q.writes && !rob_killed(squash_i, tag2_q.rob);
  assign f_wake_tag_o = tag2_q.pd;
  assign x_wake_o = rr_valid_i && rr_uop_i.op >= FPU_EQ && rr_uop_i.pd_valid && !rob_killed(squash_i, rr_uop_i.rob);
  assign x_wake_tag_o = rr_uop_i.pd;
  assign late_wake_o = f_result_o.valid && f_late;

  tag_t f_tag, x_tag;
  /* verilator lint_off UNUSEDSIGNAL */  // of a division, who it is counts
  tag_t div_tag;
  /* verilator lint_on UNUSEDSIGNAL */
  fp_result_t f_result, x_result;
  assign div_flush = HasDiv && rob_killed(squash_i, div_tag.rob);

  fp_unit #(.tag_t(tag_t), .HasDiv(HasDiv)) u_fp_unit (
    .clk_i,
    .rst_ni,
    .valid_i(valid),
    .request_i(request_q),
    .tag_i(tag_q),
    .div_busy_o(div_busy),
    .div_tag_o(div_tag),
    .div_flush_i(div_flush),
    .f_valid_o(f_valid),
    .f_late_o(f_late),
    .f_tag_o(f_tag),
    .f_result_o(f_result),
    .x_valid_o(x_valid),
    .x_tag_o(x_tag),
    .x_result_o(x_result)
  );

  assign div_free_o = HasDiv && !div_busy && !(rr_valid_i && divides(rr_uop_i.op)) &&
                      !(ex_valid_q && divides(request_q.op));

  assign f_done_o = f_valid && (f_late || alive4_q) && !rob_killed(squash_i, f_tag.rob);
  assign f_rob_o = f_tag.rob;
  assign f_flags_o = f_result.flags;
  assign f_result_o = '{valid: f_done_o && f_tag.writes, pd: f_tag.pd, data: f_result.value};
  assign x_done_o = x_valid && alive2_q && !rob_killed(squash_i, x_tag.rob);
  assign x_rob_o = x_tag.rob;
  assign x_flags_o = x_result.flags;
  assign x_result_o = '{valid: x_done_o && x_tag.writes, pd: x_tag.pd, data: x_result.value};

  `include "assert.svh"
  logic tags_agree;
  assign tags_agree = !(f_valid && !f_late && alive4_q) || f_tag == tag4_q;
  `ASSERT(SamePipeline, tags_agree)
endmodule
