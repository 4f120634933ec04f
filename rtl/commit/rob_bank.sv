// What a bank of the ROB keeps of its instructions from dispatch to commit: one write, one combinational read a cycle.
module rob_bank
  import config_pkg::*;
  import core_pkg::*;
  import rob_pkg::*;
#(
  localparam int unsigned Rows = RobEntries / CoreWidth,
  localparam int unsigned RowBits = Rows > 1 ? $clog2(Rows) : 1
) (
  input  logic clk_i,
  input  logic write_i,
  input  logic [RowBits-1:0] write_row_i,
  input  word_t pc_i,
  input  logic [31:0] insn_i,
  input  rob_info_t info_i,
  input  logic [RowBits-1:0] read_row_i,
  output word_t pc_o,
  output logic [31:0] insn_o,
  output rob_info_t info_o
);
  word_t pc_q [Rows];
  logic [31:0] insn_q [Rows];
  rob_info_t info_q [Rows];

  always_ff @(posedge clk_i)
    if (write_i) begin
      pc_q[write_row_i] <= pc_i;
      insn_q[write_row_i] <= insn_i;
      info_q[write_row_i] <= info_i;
    end

  assign pc_o = pc_q[read_row_i];
  assign insn_o = insn_q[read_row_i];
  assign info_o = info_q[read_row_i];
endmodule
