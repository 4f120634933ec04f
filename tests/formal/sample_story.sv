// What becomes of triggers, as facts about a queue of at most two samples, oldest first; the RTL has a unit that
// holds one and a register that software reads.
//
//   - A sample belongs to its trigger's own cycle.
//   - It waits for its instruction: Drained until the first dispatches (that one is its name); with vectors (Tea)
//     Drained and Stalled also until that instruction leaves the ROB, and then has the vector that it leaves with.
//   - A trigger is one more of the youngest sample while that waits, and in the last cycle of its wait if that is still
//     its instruction's alone: the dispatch, the exception. A commit is shared, an empty ROB is somebody else's.
//   - Any other trigger is a new sample, if there are fewer than two without the one that is acknowledged now; else it
//     is lost.
//   - Software sees the oldest, from the cycle after the one in which it is complete and the oldest.
//   - The interrupt follows by one cycle the completion of a sample that one of its triggers asks it of, or the loss of
//     such a trigger for want of room.
module sample_story
  import config_pkg::*;
  import records_pkg::*;
#(
  parameter bit Tea = 1,
  parameter int unsigned CountBits = 2  // of the counts of further triggers; what they cannot count is lost
) (
  input  logic           clk_i,
  input  logic           rst_ni,
  /* verilator lint_off UNUSEDSIGNAL */  // one record for all observers
  input  commit_bundle_t bundle_i,
  /* verilator lint_on UNUSEDSIGNAL */
  input  sample_t        select_i,
  input  logic           trigger_i,
  input  logic           announce_i,
  input  logic           acknowledge_i,
  // of this cycle
  output logic           taken_o,
  output logic           lost_o,
  // as it stands
  output logic           interrupt_o,
  output logic           seen_o,        // software sees the oldest
  output logic           pulse_o,       // for the first time
  output logic [1:0]     count_o,
  output sample_t        oldest_o,
  output sample_t        youngest_o,
  output logic [1:0][63:0] cycle_o,     // of the oldest, of the youngest
  output logic [1:0][CountBits-1:0] repeats_o,
  output logic [1:0][CountBits-1:0] stalled_o,
  output logic           nameless_o,    // the youngest
  output logic           unfinished_o,
  output logic           announces_o
);
  typedef struct packed {
    sample_t sample;
    logic [63:0] cycle;
    logic [CountBits-1:0] repeats;
    logic [CountBits-1:0] stalled;
    logic announces;
    logic nameless;
    logic unfinished;
  } kept_t;

  kept_t [1:0] queue_q = '0;
  logic [1:0] count_q = '0;
  logic seen_q = 1'b0, pulse_q = 1'b0, interrupt_q = 1'b0;
  logic [63:0] cycle_q = '0;

  logic acknowledged, dispatches, leaves, waits, completes, further, behind, full, room;
  kept_t young, young_d, fresh;
  assign acknowledged = seen_q && acknowledge_i;
  assign dispatches = bundle_i.dispatch_valid[0];
  assign leaves = bundle_i.commit != '0 || bundle_i.exception || bundle_i.rob_empty;
  assign young = queue_q[count_q == 2'd2];
  assign waits = count_q != 2'd0 && (young.nameless || young.unfinished);
  assign completes = waits && (young.nameless ? dispatches && !young.unfinished : leaves);
  assign further = trigger_i && waits && (!completes || young.nameless || bundle_i.exception);
  assign behind = young.sample.state == STATE_DRAINED && !young.nameless;
  assign full = behind ? &young.stalled : &young.repeats;
  assign room = count_q - 2'(acknowledged) < 2'd2;

  always_comb begin
    young_d = young;
    if (waits && young.nameless) begin
      if (dispatches) begin
        young_d.nameless = 1'b0;
        young_d.sample.valid[0] = 1'b1;
        young_d.sample.addr[0] = bundle_i.dispatch_pc[0];
      end
    end else if (waits && leaves) begin
      young_d.unfinished = 1'b0;
      if (bundle_i.commit != '0) young_d.sample.psv[young.sample.oldest] = bundle_i.psv[bundle_i.oldest];
      if (bundle_i.exception) young_d.sample.psv[young.sample.oldest] = bundle_i.exception_psv;
    end
    if (further) begin
      young_d.announces = young.announces || announce_i;
      if (!full) begin
        if (behind) young_d.stalled = young.stalled + CountBits'(1);
        else young_d.repeats = young.repeats + CountBits'(1);
      end
    end
    fresh = '0;
    fresh.sample = select_i;
    fresh.cycle = cycle_q;
    fresh.announces = announce_i;
    if (select_i.state == STATE_DRAINED) begin
      fresh.nameless = !dispatches;
      fresh.unfinished = Tea;
      if (dispatches) begin
        fresh.sample.valid[0] = 1'b1;
        fresh.sample.addr[0] = bundle_i.dispatch_pc[0];
      end
    end else if (select_i.state == STATE_STALLED) fresh.unfinished = Tea && !bundle_i.exception;
  end

  assign taken_o = trigger_i && !further && room;
  assign lost_o = trigger_i && (further ? full : !room);

  kept_t [1:0] queue_d;
  logic [1:0] count_d;
  logic seen_d, interrupt_d;
  always_comb begin
    queue_d = queue_q;
    if (count_q != 2'd0) queue_d[count_q == 2'd2] = young_d;
    if (acknowledged) queue_d[0] = queue_d[1];
    count_d = count_q - 2'(acknowledged);
    if (taken_o) begin
      queue_d[count_d == 2'd1] = fresh;
      count_d = count_d + 2'd1;
    end
    seen_d = count_d != 2'd0 && !queue_d[0].nameless && !queue_d[0].unfinished;
    interrupt_d = (completes && young_d.announces) || (taken_o && !fresh.nameless && !fresh.unfinished && announce_i) ||
                  (trigger_i && !further && !room && announce_i);
  end

  always_ff @(posedge clk_i) begin
    queue_q <= queue_d;
    count_q <= rst_ni ? count_d : '0;
    seen_q <= rst_ni && seen_d;
    pulse_q <= rst_ni && seen_d && (!seen_q || acknowledged);
    interrupt_q <= rst_ni && interrupt_d;
    cycle_q <= rst_ni ? cycle_q + 64'd1 : '0;
  end

  assign interrupt_o = interrupt_q;
  assign seen_o = seen_q;
  assign pulse_o = pulse_q;
  assign count_o = count_q;
  assign oldest_o = queue_q[0].sample;
  assign youngest_o = young.sample;
  assign cycle_o = {young.cycle, queue_q[0].cycle};
  assign repeats_o = {young.repeats, queue_q[0].repeats};
  assign stalled_o = {young.stalled, queue_q[0].stalled};
  assign nameless_o = young.nameless;
  assign unfinished_o = young.unfinished;
  assign announces_o = young.announces;
endmodule
