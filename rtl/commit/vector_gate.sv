// Keeps vectors only while somebody reads them, and knows which are incomplete for that (profile.vector_window).
//
//                 reads_i     ________/~~~~~~~~~~~~\____
//                 keep_o      __________/~~~~~~~~~~~~\__     ROB and load queue: 0, written, 0
//      in the ROB           head               tail
//      as it opens            [ s  s  s  s  s  s )           stale: came while nothing was kept
//      later                     [ s  s  .  .  .  .  . )     those that come now are whole: they are behind
//
// A vector is whole if the gate has been open from its instruction's dispatch on; else the instruction is stale, its
// vector may lack events, and has none that it has not met. The oldest N instructions are stale: what leaves or dies
// takes from their number, what comes adds none. While the gate is shut all are.
// Latency: keep_o follows reads_i by a cycle; stale_o speaks of this cycle. With the key at 0 the gate is open, without
// a flip-flop.
module vector_gate
  import config_pkg::*;
  import ring_pkg::*;
  import core_pkg::*;
  import profile_pkg::*;
  import rob_pkg::*;
(
  input  logic clk_i,
  input  logic rst_ni,
  input  logic reads_i,      // somebody reads vectors, or will soon
  // the ROB's two ends
  input  rob_idx_t head_i,
  input  rob_idx_t tail_i,
  input  count_t enter_i,    // number of instructions dispatched
  input  count_t leave_i,    // number that commits
  input  logic raise_i,      // the oldest leaves by an exception, an interrupt or a replay
  input  logic clear_i,      // at the end of the cycle the ROB is empty
  input  squash_t squash_i,
  output logic keep_o,       // what happens in this cycle is kept
  output stale_t stale_o
);
  if (VectorWindow == 0) begin : gen_open
    assign keep_o = 1'b1;
    assign stale_o = '0;
    logic unused;
    assign unused = &{1'b0, clk_i, rst_ni, reads_i, head_i, tail_i, enter_i, leave_i, raise_i, clear_i, squash_i};
  end else begin : gen_gate
    typedef logic [RobIdxBits-1:0] number_t;

    function automatic number_t between(input rob_idx_t from, input rob_idx_t to);
      between = number_t'(ring_used(to.wrap == from.wrap, 32'(from.idx), 32'(to.idx), RobEntries));
    endfunction

    logic open_q, offender_q;  // offender: the youngest that left was stale
    number_t stale_q;          // number of stale ones, while the gate is open
    number_t used, stays, remain;
    logic kills;
    assign kills = squash_i.valid && !squash_i.all;
    always_comb begin
      // The occupancy after this cycle, without what it dispatches.
      used = kills ? between(head_i, rob_add(squash_i.rob, 1)) : between(head_i, tail_i);
      stays = used - number_t'(leave_i);
      remain = stale_q > number_t'(leave_i) ? stale_q - number_t'(leave_i) : '0;
      if (remain > stays) remain = stays;
      if (!open_q) remain = stays + number_t'(enter_i);
      if (clear_i) remain = '0;
    end

    always_ff @(posedge clk_i)
      if (!rst_ni) begin
        open_q <= 1'b0;
        offender_q <= 1'b0;
        stale_q <= '0;
      end else begin
        open_q <= reads_i;
        if (reads_i) stale_q <= remain;
        if (raise_i) offender_q <= stale_o.oldest;
        else if (leave_i != '0) offender_q <= !open_q || stale_q >= number_t'(leave_i);
      end

    assign keep_o = open_q;
    assign stale_o = '{oldest: !open_q || stale_q != '0, offender: offender_q};

    `include "assert.svh"
    `ASSERT(StaleAreThere, !open_q || stale_q <= between(head_i, tail_i))
    `ASSERT(LeaveIsThere, number_t'(leave_i) <= between(head_i, tail_i))
  end
endmodule
