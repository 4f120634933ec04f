// A RAM of several ports whose reads are combinational: a register file.
//
//   read_i[r], read_addr_i[r] -> data_o[r], 0 without read_i       write_i[w], write_addr_i[w], write_data_i[w] | the
//   word
//
// Writes take effect at the end of the cycle; a read in that cycle gives the old word. No two writes of a cycle are to
// the same word: the user sees to it. Reset clears the first Cleared words, and as many from Again on if that is not 0;
// the others are unknown until they are written.
//
// To map: one write and few reads are a latch array or an FPGA's distributed RAM, a copy for each read port. Several
// writes need a bank for each write port and a table of the bank that wrote a word last (LVT), or flip-flops. A cleared
// word needs a bit there that says that it has been written. Where read_addr_i is a register of the user
// (docs/reference/pipeline.md, "RAMs") an SRAM does as well: it takes what goes into that register, and hands on what
// is written in the same cycle.
`include "assert.svh"

module mp_ram #(
  parameter int unsigned Words = 32,
  parameter int unsigned Width = 64,
  parameter int unsigned Reads = 1,
  parameter int unsigned Writes = 1,
  parameter int unsigned Cleared = 0,
  parameter int unsigned Again = 0,
  localparam int unsigned AddrBits = Words > 1 ? $clog2(Words) : 1
) (
  input  logic clk_i,
  input  logic rst_ni,
  input  logic [Reads-1:0] read_i,
  input  logic [AddrBits-1:0] read_addr_i [Reads],
  output logic [Width-1:0] data_o [Reads],
  input  logic [Writes-1:0] write_i,
  input  logic [AddrBits-1:0] write_addr_i [Writes],
  input  logic [Width-1:0] write_data_i [Writes]
);
  logic [Width-1:0] mem_q [Words];

  for (genvar r = 0; r < Reads; r++) begin : gen_read
    assign data_o[r] = read_i[r] ? mem_q[read_addr_i[r]] : '0;
  end

  if (Cleared != 0) begin : gen_cleared
    always_ff @(posedge clk_i)
      if (!rst_ni) begin
        for (int i = 0; i < Cleared; i++) begin
          mem_q[AddrBits'(i)] <= '0;
          if (Again != 0) mem_q[AddrBits'(Again + i)] <= '0;
        end
      end else begin
        for (int w = 0; w < Writes; w++) if (write_i[w]) mem_q[write_addr_i[w]] <= write_data_i[w];
      end
  end else begin : gen_plain
    always_ff @(posedge clk_i) for (int w = 0; w < Writes; w++) if (write_i[w])
      mem_q[write_addr_i[w]] <= write_data_i[w];
  end

  logic twice, outside;  // two writes to one word; one to no word
  always_comb begin
    twice = 1'b0;
    outside = 1'b0;
    for (int w = 0; w < Writes; w++) begin
      if (Words != 1 << AddrBits && write_i[w] && 32'(write_addr_i[w]) >= Words) outside = 1'b1;
      for (int v = 0; v < w; v++) if (write_i[w] && write_i[v] && write_addr_i[w] == write_addr_i[v]) twice = 1'b1;
    end
  end
  `ASSERT(WritesApart, !twice)
  `ASSERT(WritesInside, !outside)
endmodule
