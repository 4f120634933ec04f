// What the hub sends to the L1 data cache, in order: snoops, and acknowledgements of lines that have left it; and what
// goes up to the hub, in one order: answers to snoops (ACK) and those lines (PUT).
//
//   down_i (t) -> a queue -> the whole set's port is taken (t+1 or later) -> the act: the set is looked at and changed,
//   the write-back buffer too -> up_o, lost_o (one cycle later)
//
// The act is judged by what the cache holds in its own cycle, and no write is in it. It waits for the port alone, never
// for a request of this cache. A line that leaves goes up in a cycle without an ACK.
`include "assert.svh"

module dcache_snoop
  import config_pkg::*;
  import line_pkg::*;
  import hub_pkg::HUB_SHARE, hub_pkg::HUB_INVAL, hub_pkg::HUB_TRY, hub_pkg::HUB_PEEK, hub_pkg::HUB_PUT_ACK;
  import dcache_pkg::*;
(
  input  logic clk_i,
  input  logic rst_ni,
  input  hub_pkg::hub_down_t down_i,
  output hub_pkg::hub_up_t up_o,
  // the port of a whole set
  output set_ask_t set_o,
  input  logic set_take_i,                   // in the next cycle old_i is that set
  input  old_line_t old_i [DcWays],
  output logic act_o,
  output dc_ways_t drop_o,                   // these ways are invalid from now on
  output dc_ways_t share_o,                  // these clean, and not owned
  // the write-back buffer
  output line_t wb_line_o,
  output logic wb_take_o,                    // what it finds loses its data
  input  wb_snoop_t wb_i,
  input  put_t put_i,
  output put_in_t put_o,
  output lost_t lost_o                       // registered
);
  // A transaction of the hub has one snoop here at most, an instruction miss of this tile one, a line that leaves one
  // acknowledgement.
  localparam int unsigned Depth = hub_pkg::MostTransactions + 1 + WbEntries;
  /* verilator lint_off UNUSEDSIGNAL */  // whether it is valid, valid_o says
  hub_pkg::hub_down_t next;
  /* verilator lint_on UNUSEDSIGNAL */
  hub_pkg::hub_down_e act_kind_q;
  hub_pkg::tag_t act_tag_q;
  hub_pkg::line_t act_line_q;
  logic next_valid, room, pop, snoop, act_valid_q;
  fifo #(.Width($bits(next)), .Depth(Depth)) u_queue (
    .clk_i, .rst_ni, .push_i(down_i.valid), .data_i(down_i), .pop_i(pop), .room_o(room), .valid_o(next_valid),
    .data_o(next)
  );
  assign snoop = next_valid && next.kind != HUB_PUT_ACK;
  // With pauses, so that fence.i has the port, too.
  assign set_o = '{valid: snoop && !act_valid_q, at: next.line[DcSetBits-1:0]};
  // An acknowledgement that follows an act comes after it: that may find its line in the buffer.
  assign pop = next_valid && (snoop ? set_take_i : !act_valid_q);
  assign put_o.done = pop && !snoop ? wb_vec_t'(1) << next.tag : '0;

  always_ff @(posedge clk_i) begin
    act_valid_q <= rst_ni && snoop && set_take_i;
    act_kind_q <= next.kind;
    act_tag_q <= next.tag;
    act_line_q <= next.line;
  end

  // ---- the act ----
  dc_ways_t here;
  logic owned, dirty;
  logic [LineBits-1:0] data;
  always_comb begin
    owned = 1'b0;
    dirty = 1'b0;
    data = wb_i.data;
    for (int w = 0; w < DcWays; w++) begin
      here[w] = act_valid_q && old_i[w].valid && old_i[w].tag == act_line_q[PaBits-7:DcSetBits];
      if (here[w]) begin
        owned = old_i[w].owned;
        dirty = old_i[w].dirty;
        data = old_i[w].data;  // newer than what fence.i has sent
      end
    end
  end
  logic refuses, shares;
  hub_pkg::hub_up_t ack, put;
  assign act_o = act_valid_q;
  assign wb_line_o = line_t'(act_line_q);
  assign refuses = act_kind_q == HUB_TRY && (owned || wb_i.live);
  assign shares = act_kind_q == HUB_SHARE || (act_kind_q == HUB_TRY && !refuses);
  assign wb_take_o = act_valid_q && wb_i.live && (act_kind_q == HUB_SHARE || act_kind_q == HUB_INVAL);
  assign drop_o = act_kind_q == HUB_INVAL ? here : '0;
  assign share_o = shares ? here : '0;
  assign ack = '{
    valid: 1'b1, put: 1'b0, tag: act_tag_q, line: act_line_q,
    has: act_kind_q != HUB_TRY && (dirty || wb_i.live),
    keeps: shares && here != '0,
    gave: act_kind_q == HUB_INVAL ? here != '0 : shares && owned,
    refuses: refuses, data: data
  };

  // ---- up ----
  assign put = '{valid: put_i.valid, put: 1'b1, tag: hub_pkg::tag_t'(put_i.id), line: hub_pkg::line_t'(put_i.line),
                 has: put_i.has, data: put_i.data, default: '0};
  assign put_o.take = put_i.valid && !act_valid_q;
  always_ff @(posedge clk_i) begin
    up_o <= act_valid_q ? ack : put;
    if (!rst_ni) up_o.valid <= 1'b0;
    lost_o.valid <= rst_ni && act_valid_q && (act_kind_q == HUB_INVAL || (shares && here == '0));
    lost_o.line <= wb_line_o;
  end

  `ASSERT(HasRoom, !down_i.valid || room)
  `ASSERT(OneCopy, (here & (here - dc_ways_t'(1))) == '0)
  wait_bound #(.Most(200)) u_acked (.clk_i, .rst_ni, .wants_i(next_valid && !pop), .counts_i(1'b1));
endmodule
