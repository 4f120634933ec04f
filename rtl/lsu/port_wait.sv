// How long something has asked for a cache port without a pause and got none: after ForceAfter cycles it is urgent, and
// goes before fresh loads (lsu_arb).
module port_wait #(
  parameter int unsigned ForceAfter = 15
) (
  input  logic clk_i,
  input  logic rst_ni,
  input  logic asks_i,
  input  logic take_i,
  output logic urgent_o
);
  typedef logic [$clog2(ForceAfter+1)-1:0] count_t;
  count_t count_q;
  assign urgent_o = count_q == count_t'(ForceAfter);

  always_ff @(posedge clk_i)
    if (!rst_ni || take_i || !asks_i) count_q <= '0;
    else if (!urgent_o) count_q <= count_q + count_t'(1);
endmodule
