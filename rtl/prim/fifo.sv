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
  idx_t head_q, tail_q, head_addr [1], tail_addr [1];
  logic [CountBits-1:0] count_q;
  logic [Width-1:0] head [1], pushed [1];

  function automatic idx_t after(input idx_t idx);
    after = 32'(idx) == Depth - 1 ? '0 : idx + 1'b1;
  endfunction

  assign valid_o = count_q != '0;
  assign room_o = 32'(count_q) != Depth;
  assign head_addr[0] = head_q;
  assign tail_addr[0] = tail_q;
  assign pushed[0] = data_i;
  assign data_o = head[0];
  mp_ram #(.Words(Depth), .Width(Width)) u_ram (
    .clk_i, .rst_ni, .read_i(valid_o), .read_addr_i(head_addr), .data_o(head), .write_i(push_i),
    .write_addr_i(tail_addr), .write_data_i(pushed)
  );

  always_ff @(posedge clk_i)
    if (!rst_ni) begin
      head_q <= '0;
      tail_q <= '0;
      count_q <= '0;
    end else begin
      if (push_i) tail_q <= after(tail_q);
      if (pop_i) head_q <= after(head_q);
      count_q <= count_q + CountBits'(push_i) - CountBits'(pop_i);
    end

  `ASSERT(PushHasRoom, !push_i || room_o || pop_i)
  `ASSERT(PopIsThere, !pop_i || valid_o)
endmodule
