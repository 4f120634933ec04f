// Latches a sample on a trigger and holds it until its instruction's vector is complete, then until it is read
// (TEA, ISCA 2023, section 4). Takes tip_unit's place where vectors are wanted (configuration key profile.tea).
//
//            Computing, Flushed, or Stalled on an exception of this very cycle
//   idle --trigger------------------------------------------------------------> ready --acknowledge--> idle
//     |--Stalled--------------------------> wait --the oldest commits or excepts--^
//     '--Drained--> open --it dispatches-----^
//
// The vector of an instruction that commits or excepts is what the bundle shows in that cycle. A core that drops its
// oldest instruction in another way ends the wait with the vector that was latched. A trigger that comes meanwhile is
// a collision: counted, not taken.
// Latency: ready_o follows the cycle in which the sample is complete by one.
module tea_unit
  import config_pkg::*;
  import records_pkg::*;
(
  input  logic           clk_i,
  input  logic           rst_ni,
  input  logic           trigger_i,
  input  sample_t        select_i,       // what this cycle's sample would be
  /* verilator lint_off UNUSEDSIGNAL */  // one record for all observers; this one reads dispatch and what leaves the ROB
  input  commit_bundle_t bundle_i,
  /* verilator lint_on UNUSEDSIGNAL */
  input  logic           acknowledge_i,  // the sample has been read
  output logic           taken_o,        // the trigger is taken in this cycle
  output logic           collision_o,    // ... or is lost
  output logic           ready_o,        // sample_o is complete
  output logic           ready_pulse_o,  // its first cycle
  output sample_t        sample_o
);
  typedef enum logic [1:0] { IDLE, OPEN, WAIT, READY } hold_e;
  hold_e hold_q, hold_d;
  logic was_ready_q;
  sample_t sample_q;

  logic dispatches, leaves, dropped;
  assign taken_o = trigger_i && hold_q == IDLE;
  assign collision_o = trigger_i && !taken_o;
  assign dispatches = bundle_i.dispatch_valid[0];
  assign leaves = bundle_i.commit != '0 || bundle_i.exception;
  assign dropped = bundle_i.rob_empty;

  always_comb begin
    hold_d = hold_q;
    case (hold_q)
      IDLE:
        if (taken_o) begin
          if (select_i.state == STATE_DRAINED) hold_d = dispatches ? WAIT : OPEN;
          else if (select_i.state == STATE_STALLED && !bundle_i.exception) hold_d = WAIT;
          else hold_d = READY;
        end
      OPEN: if (dispatches) hold_d = WAIT;
      WAIT: if (leaves || dropped) hold_d = READY;
      default: if (acknowledge_i) hold_d = IDLE;
    endcase
  end

  always_ff @(posedge clk_i) begin
    if (!rst_ni) begin
      hold_q <= IDLE;
      was_ready_q <= 1'b0;
    end else begin
      hold_q <= hold_d;
      was_ready_q <= hold_q == READY;
    end
  end

  logic names;  // the first instruction dispatches that the Drained cycles belong to
  assign names = dispatches && (hold_q == OPEN || (taken_o && select_i.state == STATE_DRAINED));
  always_ff @(posedge clk_i) begin
    if (taken_o) sample_q <= select_i;
    if (names) begin
      sample_q.valid[0] <= 1'b1;
      sample_q.addr[0] <= bundle_i.dispatch_pc[0];
    end
    if (hold_q == WAIT && leaves) begin
      sample_q.psv[sample_q.oldest] <= bundle_i.exception ? bundle_i.exception_psv : bundle_i.psv[bundle_i.oldest];
    end
  end

  assign ready_o = hold_q == READY;
  assign ready_pulse_o = hold_q == READY && !was_ready_q;
  assign sample_o = sample_q;

  `include "assert.svh"
  `ASSERT(OpenIsDrained, hold_q != OPEN || sample_q.state == STATE_DRAINED)
  `ASSERT(WaitsForOne, hold_q != WAIT || sample_q.state == STATE_DRAINED || sample_q.state == STATE_STALLED)
endmodule
