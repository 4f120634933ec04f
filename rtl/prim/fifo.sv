// A queue of any depth: first in, first out; what is pushed is at the head in the next cycle at the earliest.
//
//   push_i, data_i -> ... -> valid_o, data_o; pop_i takes the head away at the end of the cycle
//
// room_o: a push in this cycle has its place. Without room it needs a pop in the same cycle; both are legal when full.
`include "assert.svh"

module fifo #(
  parameter int unsigned Width = 8,
  parameter int unsigned Depth = 4
) (
  input  logic clk_i,
  input  logic rst_ni,
  input  logic push_i,
  input  logic [Width-1:0] data_i,
  input  logic pop_i,
  output logic room_o,
  output logic valid_o,
  output logic [Width-1:0] data_o
);
  localparam int unsigned IdxBits = Depth > 1 ? $clog2(Depth) : 1;
  localparam int unsigned CountBits = $clog2(Depth + 1);
  typedef logic [IdxBits-1:0] idx_t;
  idx_t head [2], tail [2];
  logic [CountBits-1:0] count_q;
  logic [Width-1:0] first [1];

  assign valid_o = count_q != '0;
  assign room_o = 32'(count_q) != Depth;
  assign data_o = first[0];
  ring_ptr #(.Size(Depth), .Wrap(1'b0)) u_head (
    .clk_i, .rst_ni, .put_i(1'b0), .put_at_i('0), .step_i(pop_i), .at_o(head)
  );
  ring_ptr #(.Size(Depth), .Wrap(1'b0)) u_tail (
    .clk_i, .rst_ni, .put_i(1'b0), .put_at_i('0), .step_i(push_i), .at_o(tail)
  );
  mp_ram #(.Words(Depth), .Width(Width)) u_ram (
    .clk_i, .rst_ni, .read_i(valid_o), .read_addr_i('{head[0]}), .data_o(first), .write_i(push_i),
    .write_addr_i('{tail[0]}), .write_data_i('{data_i})
  );

  always_ff @(posedge clk_i)
    if (!rst_ni) count_q <= '0;
    else count_q <= count_q + CountBits'(push_i) - CountBits'(pop_i);

  `ASSERT(PushHasRoom, !push_i || room_o || pop_i)
  `ASSERT(PopIsThere, !pop_i || valid_o)
  `ASSERT(Known, !$isunknown({push_i, pop_i, count_q}))
endmodule
