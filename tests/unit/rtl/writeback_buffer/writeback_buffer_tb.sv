// Write-back buffer with flat ports; of a line's data the lowest and the highest word.
module writeback_buffer_tb
  import config_pkg::*;
  import core_pkg::*;
  import line_pkg::*;
  import dcache_pkg::*;
(
  input  logic        clk_i,
  input  logic        rst_ni,
  output logic [31:0] entries_o,
  output logic [31:0] line_bits_o,
  output logic [31:0] ports_o,
  input  logic        push_i,
  input  logic [63:0] push_line_i,
  input  logic [63:0] push_low_i,
  input  logic [63:0] push_high_i,
  output logic        room1_o,
  output logic        room2_o,
  output logic        empty_o,
  input  logic [63:0] look_i [2],
  output logic [15:0] found_o [2],
  output logic        coherent_o,
  input  logic [63:0] snoop_i,
  input  logic        snoop_take_i,
  output logic        live_o,
  output logic [63:0] live_low_o,
  output logic [63:0] live_high_o,
  output logic        valid_o,
  output logic [7:0]  id_o,
  output logic        has_o,
  output logic [63:0] line_o,
  output logic [63:0] low_o,
  output logic [63:0] high_o,
  input  logic        take_i,
  input  logic [15:0] done_i
);
  line_t look [MemPorts];
  wb_vec_t found [MemPorts];
  put_t put;
  wb_snoop_t snoop;
  for (genvar p = 0; p < 2; p++) begin : gen_port
    if (p < MemPorts) begin : gen_there
      assign look[p] = line_t'(look_i[p]);
      assign found_o[p] = 16'(found[p]);
    end else begin : gen_none
      assign found_o[p] = '0;
    end
  end
  writeback_buffer u_dut (
    .clk_i, .rst_ni,
    .push_i('{valid: push_i, line: line_t'(push_line_i), data: {push_high_i, {LineBits - 128{1'b0}}, push_low_i}}),
    .snoop_line_i(line_t'(snoop_i)), .snoop_take_i, .snoop_o(snoop), .room1_o, .room2_o, .empty_o,
    .look_line_i(look), .look_found_o(found), .put_o(put), .put_i('{take: take_i, done: done_i[WbEntries-1:0]})
  );
  assign entries_o = WbEntries;
  assign line_bits_o = $bits(line_t);
  assign ports_o = MemPorts;
  assign valid_o = put.valid;
  assign id_o = 8'(put.id);
  assign has_o = put.has;
  assign coherent_o = Coherent;
  assign live_o = snoop.live;
  assign live_low_o = snoop.data[63:0];
  assign live_high_o = snoop.data[LineBits-1 -: 64];
  assign line_o = 64'(put.line);
  assign low_o = put.data[63:0];
  assign high_o = put.data[LineBits-1 -: 64];
endmodule
