// Who takes the next MSHR, of those who try one at a time and may wait while loads come in their thousands: drains and
// AMOs, and the walker's reads. A register.
//
// The one who has lacked an MSHR the longest has the turn: until he has one, everybody else leaves one free, and none
// is taken before his in the same cycle (mshr_file). Nobody else needs it: a load that lacks one is in the ROB, which
// fills up after it; what is fetched ahead of time may do without.
module mshr_turn
  import dcache_pkg::*;
(
  input  logic clk_i,
  input  logic rst_ni,
  input  logic writer_i,       // a drain, or an AMO, has found no MSHR (refill_wait)
  input  logic table_i,        // the walker's read likewise
  output mshr_turn_t turn_o
);
  mshr_turn_t turn_q;
  assign turn_o = '{writer: turn_q.writer && writer_i, table_: turn_q.table_ && table_i};
  always_ff @(posedge clk_i)
    if (!rst_ni) turn_q <= '0;
    else if (turn_o == '0) turn_q <= '{writer: writer_i, table_: table_i && !writer_i};
endmodule
