// Write-back buffer with flat ports; of a line's data the lowest and the highest word.
module writeback_buffer_tb
  import config_pkg::*;
  import core_pkg::*;
  import line_pkg::*;
  import lsu_pkg::*;
(
  input  logic        clk_i,
  input  logic        rst_ni,
  output logic [31:0] entries_o,
  output logic [31:0] line_bits_o,
  input  logic        push_i,
  input  logic [63:0] push_line_i,
  input  logic [63:0] push_low_i,
  input  logic [63:0] push_high_i,
  output logic        room1_o,
  output logic        room2_o,
  output logic        valid_o,
  output logic [63:0] line_o,
  output logic [63:0] low_o,
  output logic [63:0] high_o,
  input  logic        take_i
);
  line_t line;
  logic [LineBits-1:0] data;
  writeback_buffer u_dut (
    .clk_i, .rst_ni, .push_i, .push_line_i(line_t'(push_line_i)),
    .push_data_i({push_high_i, {LineBits - 128{1'b0}}, push_low_i}), .room1_o, .room2_o, .valid_o, .line_o(line),
    .data_o(data), .take_i
  );
  assign entries_o = WbEntries;
  assign line_bits_o = $bits(line_t);
  assign line_o = 64'(line);
  assign low_o = data[63:0];
  assign high_o = data[LineBits-1 -: 64];
endmodule
