// Takes a sample on a trigger and completes it when its instruction's vector is complete (TEA, ISCA 2023, section 4).
// Stands in tip_unit's place where vectors are wanted (configuration key profile.tea).
//
//         Computing, Flushed, or Stalled on an exception of this very cycle: complete at once
//   idle --trigger------------------------------------------------------> [done, until there is room] --> out
//     |--Stalled--------------------------> wait --the oldest commits or excepts--^
//     '--Drained--> open --it dispatches-----^
//
// While a sample is open or waits, the oldest instruction is the same: a trigger that comes then is one more of it,
// with the same final vector. In the cycle in which it commits, others may commit beside it: a trigger of that cycle is
// a sample of its own. The vector of an instruction that commits or excepts is what the bundle shows in that cycle. A
// core that drops its oldest instruction in another way ends the wait with the vector that was latched. A complete
// sample goes out in the cycle in which it becomes complete, if there is room; else it is held, and triggers are lost.
// Where a sample may be taken the register takes what the cycle shows, trigger or not: the trigger, which comes last,
// only decides whether it is held.
// Latency: none; hold_o and sample_o speak of this cycle.
module tea_unit
  import config_pkg::*;
  import records_pkg::*;
  import profile_pkg::*;
(
  input  logic           clk_i,
  input  logic           rst_ni,
  input  logic           trigger_i,
  input  sample_t        select_i,  // what this cycle's sample would be
  /* verilator lint_off UNUSEDSIGNAL */  // it reads dispatch and what leaves the ROB, not the rest of the bundle
  input  commit_bundle_t bundle_i,
  /* verilator lint_on UNUSEDSIGNAL */
  input  logic           take_i,    // there is room for a complete sample
  output hold_t          hold_o,
  output sample_t        sample_o   // the held sample, or the one that a trigger takes now
);
  typedef enum logic [1:0] { IDLE, OPEN, WAIT, DONE } hold_e;
  hold_e hold_q, hold_d;
  sample_t sample_q;

  logic dispatches, commits, excepts, dropped, ends, ripe, leaves;
  assign dispatches = bundle_i.dispatch_valid[0];
  assign commits = bundle_i.commit != '0;
  assign excepts = bundle_i.exception;
  assign dropped = bundle_i.rob_empty;
  assign ends = hold_q == WAIT && (commits || excepts || dropped);
  assign ripe = hold_q == DONE || ends;
  assign leaves = hold_q != IDLE && ripe && take_i;

  always_comb begin
    hold_o = '0;
    hold_o.held = hold_q != IDLE;
    hold_o.stalled = hold_q == WAIT && sample_q.state == STATE_DRAINED;
    hold_o.ends = ends;
    hold_o.further = trigger_i && (hold_q == OPEN || (hold_q == WAIT && !commits && !dropped));
    hold_o.taken = trigger_i && !hold_o.further && (!hold_o.held || take_i);
    hold_o.lost = trigger_i && !hold_o.further && !hold_o.taken;
    hold_o.instant = hold_o.taken && select_i.state != STATE_DRAINED && (select_i.state != STATE_STALLED || excepts);
    hold_o.complete = hold_o.held ? ripe : hold_o.instant;
    hold_o.offers = !hold_o.held || ripe;
  end

  always_comb begin
    hold_d = hold_q;
    if (hold_o.taken) begin
      if (hold_o.instant) hold_d = hold_o.held || !take_i ? DONE : IDLE;
      else hold_d = select_i.state == STATE_DRAINED && !dispatches ? OPEN : WAIT;
    end else if (leaves) hold_d = IDLE;
    else if (hold_o.ends) hold_d = DONE;
    else if (hold_q == OPEN && dispatches) hold_d = WAIT;
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
    if (hold_o.ends && (commits || excepts)) begin
      sample_o.psv[sample_q.oldest] = excepts ? bundle_i.exception_psv : bundle_i.psv[bundle_i.oldest];
    end
  end

  always_ff @(posedge clk_i) begin
    if (!rst_ni) hold_q <= IDLE;
    else hold_q <= hold_d;
    if (hold_q == IDLE || leaves) sample_q <= named(select_i);
    else if (hold_q == OPEN) sample_q <= named(sample_q);
    else if (hold_o.ends) sample_q <= sample_o;
  end

  `include "assert.svh"
  `ASSERT(OpenIsDrained, hold_q != OPEN || sample_q.state == STATE_DRAINED)
  `ASSERT(WaitsForOne, hold_q != WAIT || sample_q.state == STATE_DRAINED || sample_q.state == STATE_STALLED)
endmodule
