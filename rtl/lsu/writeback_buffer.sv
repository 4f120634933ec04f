// Lines on their way from the L1 data cache back to memory: a queue of WbEntries.
//
// A line pushed in cycle t is offered from t+1 on. The cache sends this queue before any read, so a read of a line
// that is here is accepted after the line's write.
module writeback_buffer
  import config_pkg::*;
  import core_pkg::*;
  import line_pkg::*;
  import lsu_pkg::*;
(
  input  logic clk_i,
  input  logic rst_ni,
  input  logic push_i,
  input  line_t push_line_i,
  input  logic [LineBits-1:0] push_data_i,
  output logic room1_o,                      // one more fits
  output logic room2_o,                      // two more fit
  output logic valid_o,
  output line_t line_o,
  output logic [LineBits-1:0] data_o,
  input  logic take_i
);
  localparam int unsigned IdxBits = $clog2(WbEntries);

  logic [IdxBits-1:0] head_q, tail_q;        // WbEntries is a power of two
  logic [IdxBits:0] count_q;

  assign valid_o = count_q != '0;
  assign room1_o = count_q <= (IdxBits + 1)'(WbEntries - 1);
  assign room2_o = count_q <= (IdxBits + 1)'(WbEntries - 2);

  always_ff @(posedge clk_i) begin
    if (!rst_ni) begin
      head_q <= '0;
      tail_q <= '0;
      count_q <= '0;
    end else begin
      if (push_i) tail_q <= tail_q + IdxBits'(1);
      if (take_i) head_q <= head_q + IdxBits'(1);
      count_q <= count_q + (IdxBits + 1)'(push_i) - (IdxBits + 1)'(take_i);
    end
  end

  line_t line [1];
  logic [LineBits-1:0] data [1];
  mp_ram #(.Words(WbEntries), .Width($bits(line_t))) u_lines (
    .clk_i, .rst_ni, .read_i(1'b1), .read_addr_i('{head_q}), .data_o(line),
    .write_i(push_i), .write_addr_i('{tail_q}), .write_data_i('{push_line_i})
  );
  mp_ram #(.Words(WbEntries), .Width(LineBits)) u_data (
    .clk_i, .rst_ni, .read_i(1'b1), .read_addr_i('{head_q}), .data_o(data),
    .write_i(push_i), .write_addr_i('{tail_q}), .write_data_i('{push_data_i})
  );
  assign line_o = line[0];
  assign data_o = data[0];

  `include "assert.svh"
  `ASSERT(NoOverflow, !push_i || room1_o)
  `ASSERT(NoUnderflow, !take_i || valid_o)
endmodule
