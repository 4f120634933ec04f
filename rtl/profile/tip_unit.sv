// Latches a sample on a trigger and holds it until it is read.
//
//   idle --trigger--> [Drained, nothing dispatched yet: open --dispatch-->] ready --acknowledge--> idle
//
// In Drained the address side stays open until the first instruction dispatches: the empty cycles are its. A trigger
// that comes while a sample is open or unread is a collision: counted, not taken.
// Latency: sample_o and ready_o follow the trigger (or that dispatch) by one cycle.
module tip_unit
  import config_pkg::*;
  import records_pkg::*;
(
  input  logic        clk_i,
  input  logic        rst_ni,
  input  logic        trigger_i,
  input  sample_t     select_i,          // what this cycle's sample would be
  input  logic        dispatch_valid_i,  // an instruction dispatches; the first of this cycle:
  input  logic [63:0] dispatch_pc_i,
  input  logic        acknowledge_i,     // the sample has been read
  output logic        taken_o,           // the trigger is taken in this cycle
  output logic        collision_o,       // ... or is lost
  output logic        ready_o,           // sample_o is complete
  output logic        ready_pulse_o,     // its first cycle
  output sample_t     sample_o
);
  logic open_q, ready_q, was_ready_q;
  sample_t sample_q;

  logic drained, closes;
  assign taken_o = trigger_i && !open_q && !ready_q;
  assign collision_o = trigger_i && !taken_o;
  assign drained = select_i.state == STATE_DRAINED;
  assign closes = dispatch_valid_i && (open_q || (taken_o && drained));

  always_ff @(posedge clk_i) begin
    if (!rst_ni) begin
      open_q <= 1'b0;
      ready_q <= 1'b0;
      was_ready_q <= 1'b0;
    end else begin
      was_ready_q <= ready_q;
      if (taken_o) begin
        open_q <= drained && !dispatch_valid_i;
        ready_q <= !drained || dispatch_valid_i;
      end else if (closes) begin
        open_q <= 1'b0;
        ready_q <= 1'b1;
      end else if (acknowledge_i) begin
        ready_q <= 1'b0;
      end
    end
  end

  always_ff @(posedge clk_i) begin
    if (taken_o) sample_q <= select_i;
    if (closes) begin
      sample_q.valid[0] <= 1'b1;
      sample_q.addr[0] <= dispatch_pc_i;
    end
  end

  assign ready_o = ready_q;
  assign ready_pulse_o = ready_q && !was_ready_q;
  assign sample_o = sample_q;

  `include "assert.svh"
  `ASSERT(OpenOrReady, !(open_q && ready_q))
  `ASSERT(OpenIsDrained, !open_q || sample_q.state == STATE_DRAINED)
endmodule
