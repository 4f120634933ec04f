// One of those that ask, in turn: whoever was granted last comes last, so nobody waits for more than Width - 1 others.
//
//   set_i: who asks; take_i: the grant is used in this cycle | valid_o: anybody asks; idx_o: who is granted
//
// Combinational from set_i; the place of the last grant is the only state. Without take_i the grant may change.
`include "assert.svh"

module round_robin #(
  parameter int unsigned Width = 4,
  localparam int unsigned IdxBits = Width > 1 ? $clog2(Width) : 1
) (
  input  logic clk_i,
  input  logic rst_ni,
  input  logic [Width-1:0] set_i,
  input  logic take_i,
  output logic valid_o,
  output logic [IdxBits-1:0] idx_o
);
  logic [IdxBits-1:0] next_q, idx [1];

  first_in_ring #(.Entries(Width)) u_pick (.set_i(set_i), .from_i(next_q), .valid_o(valid_o), .idx_o(idx));
  assign idx_o = idx[0];

  always_ff @(posedge clk_i)
    if (!rst_ni) next_q <= '0;
    else if (take_i) next_q <= idx_o + 1'b1;  // none lies from the end on: the search begins again

  `ASSERT(TakesWhatIsThere, !take_i || valid_o)
endmodule
