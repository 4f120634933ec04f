// A RAM with clocked reads and one write: what an SRAM macro or a block RAM of an FPGA is.
//
//   read_i[r], read_addr_i[r]               | data_o[r], which stays until the next read of port r
//   write_i, write_addr_i, write_data_i     | the word, or those lanes that have write_i set
//
// Latency: a cycle. A read in the cycle of a write gives the old word; with Meet 0 the user sees to it that no such
// read addresses the word written. Words are unknown until they are written; there is no reset of any.
//
// To map: exchange this module by (Words, Width, Lanes, Reads) for macros of one write and one read port, a copy for
// each further read port, with write_i as bit enables. Where Meet is 1 the macro has to read before it writes.
`include "assert.svh"

module sync_ram #(
  parameter int unsigned Words = 64,
  parameter int unsigned Width = 32,
  parameter int unsigned Lanes = 1,        // of a word, written apart: Width is a multiple
  parameter int unsigned Reads = 1,
  parameter bit Meet = 1'b1,
  localparam int unsigned AddrBits = Words > 1 ? $clog2(Words) : 1
) (
  input  logic clk_i,
  input  logic rst_ni,                     // for the assertions
  input  logic [Reads-1:0] read_i,
  input  logic [Reads-1:0][AddrBits-1:0] read_addr_i,
  output logic [Reads-1:0][Width-1:0] data_o,
  input  logic [Lanes-1:0] write_i,
  input  logic [AddrBits-1:0] write_addr_i,
  input  logic [Width-1:0] write_data_i
);
  localparam int unsigned LaneBits = Width / Lanes;
  if (LaneBits * Lanes != Width) begin : gen_uneven
    $error("the lanes of a word have one width");
  end

  logic [Width-1:0] mem_q [Words];

  if (Lanes == 1) begin : gen_whole
    always_ff @(posedge clk_i) if (write_i[0]) mem_q[write_addr_i] <= write_data_i;
  end else begin : gen_lanes
    always_ff @(posedge clk_i)
      for (int l = 0; l < Lanes; l++) if (write_i[l])
        mem_q[write_addr_i][LaneBits*l+:LaneBits] <= write_data_i[LaneBits*l+:LaneBits];
  end

  for (genvar r = 0; r < Reads; r++) begin : gen_read
    logic [Width-1:0] data_q;
    always_ff @(posedge clk_i) if (read_i[r]) data_q <= mem_q[read_addr_i[r]];
    assign data_o[r] = data_q;
  end

  if (!Meet) begin : gen_apart
    for (genvar r = 0; r < Reads; r++) begin : gen_read
      `ASSERT(ReadsApart, !read_i[r] || write_i == '0 || read_addr_i[r] != write_addr_i)
    end
  end
  `ASSERT(WriteInside, Words == 1 << AddrBits || write_i == '0 || 32'(write_addr_i) < Words)
endmodule
