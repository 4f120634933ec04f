// Takes a sample on a trigger and completes it (TIP, MICRO 2021, section 3).
//
//         Computing, Stalled, Flushed, or Drained with a dispatch: complete at once
//   idle --trigger----------------------------------------------------------------> [done, until there is room] --> out
//     '----Drained--> open --the first instruction dispatches--^
//
// In Drained the address side stays open until the first instruction dispatches: the empty cycles are its. A trigger
// that comes meanwhile is one more of that instruction. A complete sample goes out in the cycle in which it becomes
// complete, if there is room; else it is held, and triggers are lost.
// Where a sample may be taken the register takes what the cycle shows, trigger or not: the trigger, which comes last,
// only decides whether it is held.
// Latency: none; hold_o and sample_o speak of this cycle.
module tip_unit
  import config_pkg::*;
  import records_pkg::*;
  import profile_pkg::*;
(
  input  logic           clk_i,
  input  logic           rst_ni,
  input  logic           trigger_i,
  input  sample_t        select_i,  // what this cycle's sample would be
  /* verilator lint_off UNUSEDSIGNAL */  // one record for all observers; this one reads dispatch
  input  commit_bundle_t bundle_i,
  /* verilator lint_on UNUSEDSIGNAL */
  input  logic           take_i,    // there is room for a complete sample
  output hold_t          hold_o,
  output sample_t        sample_o   // the held sample, or the one that a trigger takes now
);
  typedef enum logic [1:0] { IDLE, OPEN, DONE } hold_e;
  hold_e hold_q, hold_d;
  sample_t sample_q;

  logic dispatches, ends, ripe, leaves;
  assign dispatches = bundle_i.dispatch_valid[0];
  assign ends = hold_q == OPEN && dispatches;
  assign ripe = hold_q == DONE || ends;
  assign leaves = hold_q != IDLE && ripe && take_i;

  always_comb begin
    hold_o = '0;
    hold_o.held = hold_q != IDLE;
    hold_o.ends = ends;
    hold_o.further = trigger_i && hold_q == OPEN;
    hold_o.taken = trigger_i && !hold_o.further && (!hold_o.held || take_i);
    hold_o.lost = trigger_i && !hold_o.further && !hold_o.taken;
    hold_o.instant = hold_o.taken && (select_i.state != STATE_DRAINED || dispatches);
    hold_o.complete = hold_o.held ? ripe : hold_o.instant;
    hold_o.offers = !hold_o.held || ripe;
  end

  always_comb begin
    hold_d = hold_q;
    if (hold_o.taken) hold_d = !hold_o.instant ? OPEN : hold_o.held || !take_i ? DONE : IDLE;
    else if (leaves) hold_d = IDLE;
    else if (hold_o.ends) hold_d = DONE;
  end

  // The first instruction that enters the ROB is the Drained cycles' owner.
  function automatic sample_t named(input sample_t sample);
    named = sample;
    if (sample.state == STATE_DRAINED && dispatches) begin
      named.valid[0] = 1'b1;
      named.addr[0] = bundle_i.dispatch_pc[0];
    end
  endfunction

  always_comb begin
    sample_o = hold_o.held ? sample_q : select_i;
    if (!hold_o.held || hold_o.ends) sample_o = named(sample_o);
  end

  always_ff @(posedge clk_i) begin
    if (!rst_ni) hold_q <= IDLE;
    else hold_q <= hold_d;
    if (hold_q == IDLE || leaves) sample_q <= named(select_i);
    else if (hold_o.ends) sample_q <= sample_o;
  end

  `include "assert.svh"
  `ASSERT(OpenIsDrained, hold_q != OPEN || sample_q.state == STATE_DRAINED)
endmodule
