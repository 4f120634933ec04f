// From a complete sample to software: counts the triggers that a sample stands for, keeps the one that software reads,
// and says when to interrupt.
//
//   trigger --> tip_unit or tea_unit (one sample) --complete--> register that software reads --acknowledge--> gone
//                 '-- its cycle and further triggers, here        ready_o, sample_o
//
// Two samples have room: one that is read, and one that is taken, waits or is complete after it. A trigger is lost
// only while both are complete, or when a count of further triggers is full; each one is counted (lost_o).
// The interrupt follows the sample, never the trigger: interrupt_o comes with the cycle in which a sample is complete,
// so that its instruction has left the ROB and has its whole vector. A trigger that is lost interrupts at once: there
// is nothing to wait for. announce_i says whether a trigger is to interrupt at all.
// What the two registers hold counts only while there is a sample: they take what may become one before the trigger is
// known. Latency: sample_o and ready_o follow the cycle in which the sample is complete by one; interrupt_o belongs to
// that cycle.
module sample_delivery
  import config_pkg::*;
  import records_pkg::*;
  import profile_pkg::*;
#(
  parameter int unsigned CountBits = 32,  // of each count of further triggers, 32 at most; tests fill short ones
  parameter logic [63:0] FirstCycle = '0     // number of the first cycle after reset
) (
  input  logic        clk_i,
  input  logic        rst_ni,
  input  logic        announce_i,
  input  hold_t       hold_i,         // of the unit
  input  sample_t     sample_i,
  input  logic        partial_i,      // a sample that the trigger takes now may lack events
  output logic        take_o,         // there is room for a complete sample
  input  logic        acknowledge_i,  // the sample has been read
  output logic        lost_o,         // the trigger of this cycle is lost
  output logic        interrupt_o,    // pulse
  output logic        ready_o,        // sample_o can be read
  output logic        ready_pulse_o,  // its first cycle
  output delivery_t   sample_o        // while ready_o
);
  // What is known of the unit's sample beside the sample itself.
  typedef logic [CountBits-1:0] count_t;
  typedef struct packed {
    logic announce;
    logic partial;
    logic [63:0] cycle;
    count_t repeats;
    count_t stalled;
  } story_t;

  localparam int unsigned Segment = 8, Segments = 64 / Segment;  // of the cycle counter
  logic [63:0] cycle_q;
  logic [Segments-1:1] carry_q;  // all segments below this one are full
  logic last_q;                  // the lowest is about to be: it is full in the next cycle
  logic [Segments-2:1] full_q;   // ... these are, of the cycle before: they change only where the lowest restarts
  story_t story_q, fresh, now;
  logic ready_q, pulse_q, full, goes, vacant;
  delivery_t front_q;

  assign take_o = !ready_q || acknowledge_i;
  assign goes = hold_i.complete && take_o;
  assign vacant = !hold_i.held || (hold_i.offers && take_o);  // the unit's register is: a trigger would take a sample
  assign full = hold_i.stalled ? &story_q.stalled : &story_q.repeats;
  assign lost_o = hold_i.lost || (hold_i.further && full);

  always_comb begin
    fresh = '0;
    fresh.announce = announce_i;
    fresh.partial = partial_i;
    fresh.cycle = cycle_q;
    now = hold_i.held ? story_q : fresh;
    if (hold_i.further) begin
      now.announce |= announce_i;
      if (!full && hold_i.stalled) now.stalled = now.stalled + count_t'(1);
      if (!full && !hold_i.stalled) now.repeats = now.repeats + count_t'(1);
    end
  end

  function automatic logic full_below(input logic [63:0] value, input int k);
    full_below = 1'b1;
    for (int i = 0; i < 64 - Segment; i++) if (i < k * Segment) full_below &= value[i];
  endfunction

  logic [Segments-1:1] carry;
  always_comb
    for (int k = 1; k < Segments; k++) begin
      carry[k] = last_q;
      for (int below = 1; below < k; below++) carry[k] &= full_q[below];
    end

  always_ff @(posedge clk_i) begin
    if (!rst_ni) begin
      cycle_q <= FirstCycle;
      for (int k = 1; k < Segments; k++) carry_q[k] <= full_below(FirstCycle, k);
      for (int k = 1; k < Segments - 1; k++) full_q[k] <= &FirstCycle[k*Segment+:Segment];
      last_q <= FirstCycle[Segment-1:0] == ~Segment'(1);
      ready_q <= 1'b0;
      pulse_q <= 1'b0;
    end else begin
      cycle_q[Segment-1:0] <= cycle_q[Segment-1:0] + Segment'(1);
      for (int k = 1; k < Segments; k++) begin
        if (carry_q[k]) cycle_q[k*Segment+:Segment] <= cycle_q[k*Segment+:Segment] + Segment'(1);
      end
      last_q <= cycle_q[Segment-1:0] == ~Segment'(2);
      for (int k = 1; k < Segments - 1; k++) full_q[k] <= &cycle_q[k*Segment+:Segment];
      carry_q <= carry;
      ready_q <= goes || (ready_q && !acknowledge_i);
      pulse_q <= goes;
    end
    if (vacant) story_q <= fresh;
    else if (hold_i.further) story_q <= now;
    if (hold_i.offers && take_o)
      front_q <= '{partial: now.partial, sample: sample_i, cycle: now.cycle,
                   repeats: 32'(now.repeats), stalled: 32'(now.stalled)};
  end

  assign interrupt_o = (hold_i.ends && now.announce) || (hold_i.instant && announce_i) || (hold_i.lost && announce_i);
  assign ready_o = ready_q;
  assign ready_pulse_o = pulse_q;
  assign sample_o = front_q;

  `include "assert.svh"
  for (genvar k = 1; k < Segments; k++) begin : gen_carry
    `ASSERT(CarryIsDerived, carry_q[k] == full_below(cycle_q, k))
  end
  `ASSERT(OneWay, 2'(hold_i.taken) + 2'(hold_i.further) + 2'(hold_i.lost) <= 2'd1)
  `ASSERT(InstantIsTaken, !hold_i.instant || hold_i.taken)
endmodule
