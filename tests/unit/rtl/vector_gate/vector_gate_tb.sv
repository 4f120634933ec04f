// vector_gate with flat ports of fixed size; ROB indices are {wrap, index} with the index in bits 14:0.
module vector_gate_tb
  import config_pkg::*;
  import core_pkg::*;
  import profile_pkg::*;
(
  input  logic        clk_i,
  input  logic        rst_ni,
  output logic [31:0] width_o,
  output logic [31:0] rob_entries_o,
  output logic [31:0] window_o,
  input  logic        reads_i,
  input  logic [15:0] head_i,
  input  logic [15:0] tail_i,
  input  logic [3:0]  enter_i,
  input  logic [3:0]  leave_i,
  input  logic        raise_i,
  input  logic        clear_i,
  input  logic        squash_i,
  input  logic        squash_all_i,
  input  logic [15:0] squash_rob_i,
  output logic        keep_o,
  output logic        oldest_o,
  output logic        offender_o
);
  function automatic rob_idx_t narrow(input logic [15:0] wide);
    narrow = '{wrap: wide[15], idx: wide[RobIdxBits-2:0]};
  endfunction

  squash_t squash;
  stale_t stale;
  assign squash = '{valid: squash_i, all: squash_all_i, rob: narrow(squash_rob_i), snapshot: '0, lq_tail: '0,
                    sq_tail: '0};
  vector_gate u_vector_gate (
    .clk_i, .rst_ni, .reads_i, .head_i(narrow(head_i)), .tail_i(narrow(tail_i)), .enter_i(count_t'(enter_i)),
    .leave_i(count_t'(leave_i)), .raise_i, .clear_i, .squash_i(squash), .keep_o, .stale_o(stale)
  );
  assign oldest_o = stale.oldest;
  assign offender_o = stale.offender;
  assign width_o = CoreWidth;
  assign rob_entries_o = RobEntries;
  assign window_o = VectorWindow;
endmodule
