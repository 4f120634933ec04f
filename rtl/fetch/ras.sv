// Return address stack.
//
// Driven by stage F2 as packets leave it; recovery takes one cycle. The top lives in a register and only the entries
// below it in memory, so that a snapshot of {pointer, top} repairs whatever a wrong path did to the upper two
// entries: a pop followed by a push writes back the old value. Deeper damage costs a misprediction, no more.
module ras
  import config_pkg::*;
  import core_pkg::*;
  import fetch_pkg::*;
(
  input  logic      clk_i,
  input  logic      rst_ni,
  input  logic      push_i,         // a packet that leaves F2 ends in a call
  input  logic      pop_i,          // ... in a return
  input  word_t     link_i,
  output word_t     top_o,          // target of a return in F2
  output word_t     next_top_o,     // target of a return in the next packet
  output ras_snap_t snap_o,         // state before F2's packet
  input  logic      restore_i,      // go back to restore_snap_i, then push or pop; no packet leaves F2 in this cycle
  input  ras_snap_t restore_snap_i,
  input  logic      restore_push_i,
  input  logic      restore_pop_i,
  input  word_t     restore_link_i
);
  logic [RasBits-1:0] ptr_q;
  word_t top_q;
  word_t below [RasEntries];

  ras_snap_t base;
  logic push, pop;
  word_t link, under;
  assign base = restore_i ? restore_snap_i : '{ptr: ptr_q, top: top_q};
  assign push = restore_i ? restore_push_i : push_i;
  assign pop = restore_i ? restore_pop_i : pop_i;
  assign link = restore_i ? restore_link_i : link_i;
  assign under = below[base.ptr - 1'b1];

  assign top_o = top_q;
  assign next_top_o = push_i ? link_i : pop_i ? below[ptr_q - 1'b1] : top_q;
  assign snap_o = '{ptr: ptr_q, top: top_q};

  always_ff @(posedge clk_i) begin
    if (!rst_ni) begin
      ptr_q <= '0;
    end else if (restore_i || push_i || pop_i) begin
      ptr_q <= base.ptr + RasBits'(push && !pop) - RasBits'(pop && !push);
      top_q <= push ? link : pop ? under : base.top;
      if (push && !pop) below[base.ptr] <= base.top;
    end
  end
endmodule
