// Floating-point issue queue with flat ports of fixed size.
module fp_queue_tb
  import config_pkg::*;
  import core_pkg::*;
  import fp_pkg::*;
  import port_pkg::*;
  import issue_pkg::*;
(
  input  logic        clk_i,
  input  logic        rst_ni,
  output logic [31:0] width_o,
  output logic [31:0] rob_entries_o,
  output logic [31:0] entries_o,
  output logic [31:0] ports_o,
  output logic [31:0] wakes_o,
  input  logic        squash_i,
  input  logic        squash_all_i,
  input  logic [15:0] squash_rob_i,
  input  logic [7:0]  want_i,
  output logic [7:0]  full_o,
  input  logic [7:0]  fire_i,
  input  logic [7:0]  op_i [8],
  input  logic [7:0]  rest_i [8],        // format, rounding mode, whether there is a destination
  input  logic [15:0] rob_i [8],
  input  logic [15:0] pd_i [8],
  input  logic [15:0] ps1_i [8],
  input  logic [15:0] ps2_i [8],
  input  logic [15:0] ps3_i [8],
  input  logic [7:0]  ready1_i,
  input  logic [7:0]  ready2_i,
  input  logic [7:0]  ready3_i,
  input  logic [31:0] wake_i,
  input  logic [15:0] wake_tag_i [32],
  input  logic        div_free_i,
  output logic [7:0]  rr_valid_o,
  output logic [7:0]  rr_op_o [8],
  output logic [7:0]  rr_rest_o [8],
  output logic [15:0] rr_rob_o [8],
  output logic [63:0] rr_regs_o [8]      // pd, ps1, ps2, ps3
);
  squash_t squash;
  fp_uop_t uop [CoreWidth], rr_uop [FpArrays];
  wake_t wake [Wakes];
  logic [CoreWidth-1:0] full;
  logic [FpArrays-1:0] rr_valid;
  function automatic rob_idx_t narrow(input logic [15:0] wide);
    narrow = '{wrap: wide[15], idx: wide[RobIdxBits-2:0]};
  endfunction
  always_comb begin
    squash = '0;
    squash.valid = squash_i;
    squash.all = squash_all_i;
    squash.rob = narrow(squash_rob_i);
    for (int i = 0; i < CoreWidth; i++)
      uop[i] = '{op: fp_op_e'(op_i[i]), format: fp_format_e'(rest_i[i][0]), rm: rest_i[i][3:1], rob: narrow(rob_i[i]),
                 pd: preg_t'(pd_i[i]), pd_valid: rest_i[i][4], ps1: preg_t'(ps1_i[i]), ps2: preg_t'(ps2_i[i]),
                 ps3: preg_t'(ps3_i[i])};
    for (int w = 0; w < Wakes; w++) wake[w] = '{valid: wake_i[5'(w)], tag: preg_t'(wake_tag_i[5'(w)])};
  end
  fp_queue u_dut (
    .clk_i, .rst_ni, .squash_i(squash), .want_i(want_i[CoreWidth-1:0]), .full_o(full), .fire_i(fire_i[CoreWidth-1:0]),
    .uop_i(uop), .ready1_i(ready1_i[CoreWidth-1:0]), .ready2_i(ready2_i[CoreWidth-1:0]),
    .ready3_i(ready3_i[CoreWidth-1:0]), .wake_i(wake), .div_free_i, .rr_valid_o(rr_valid), .rr_uop_o(rr_uop)
  );
  for (genvar p = 0; p < 8; p++) begin : gen_port
    if (p < FpArrays) begin : gen_some
      assign rr_op_o[p] = 8'(rr_uop[p].op);
      assign rr_rest_o[p] = {3'd0, rr_uop[p].pd_valid, rr_uop[p].rm, 1'(rr_uop[p].format)};
      assign rr_rob_o[p] = {rr_uop[p].rob.wrap, 15'(rr_uop[p].rob.idx)};
      assign rr_regs_o[p] = {16'(rr_uop[p].pd), 16'(rr_uop[p].ps1), 16'(rr_uop[p].ps2), 16'(rr_uop[p].ps3)};
    end else begin : gen_none
      assign rr_op_o[p] = '0;
      assign rr_rest_o[p] = '0;
      assign rr_rob_o[p] = '0;
      assign rr_regs_o[p] = '0;
    end
  end
  assign rr_valid_o = 8'(rr_valid);
  assign full_o = 8'(full);
  assign width_o = CoreWidth;
  assign rob_entries_o = RobEntries;
  assign entries_o = FpIqEntries;
  assign ports_o = FpArrays;
  assign wakes_o = Wakes;
endmodule
