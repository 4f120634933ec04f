// Tags the instruction at dispatch in the sampled cycle, or the next one to dispatch, and reports it when it commits:
// AMD IBS, Arm SPE (Traps).
//
//   trigger --dispatch--> tag in the ROB (rob_tag) --> sample
//      '--no dispatch--> waits for the next one
//
// One tag. A trigger whose tag is squashed, or that finds the tag in use, gives no sample: the next trigger is given
// its count. Latency: none; a sample is complete in the cycle in which its instruction leaves the ROB.
module dispatch_tag_unit
  import events_pkg::*;
  import records_pkg::*;
  import rival_pkg::*;
#(
  parameter psv_t Events = '1,
  parameter bit   Traps  = 1'b0
) (
  input  logic           clk_i,
  input  logic           rst_ni,
  input  logic           trigger_i,
  input  commit_bundle_t bundle_i,
  output logic           valid_o,
  output rival_sample_t  sample_o,
  output count_t         lost_o     // triggers that the next one will be given
);
  count_t waiting_q, waiting_d;  // triggers that wait for a dispatch
  count_t lost_q, lost_d, dropped, count;
  logic place, free, dispatches;

  rob_tag #(.Events(Events), .Traps(Traps)) u_rob_tag (
    .clk_i(clk_i), .rst_ni(rst_ni), .bundle_i(bundle_i), .place_i(place), .slot_i('0), .count_i(count),
    .free_o(free), .dropped_o(dropped), .valid_o(valid_o), .sample_o(sample_o)
  );

  assign dispatches = bundle_i.dispatch_valid[0];
  assign place = dispatches && free && !rival_clears(bundle_i) && (waiting_q != '0 || trigger_i);

  // What waits goes first: a trigger of the cycle in which it is placed is one more of it; where it is lost, so is
  // that.
  always_comb begin
    waiting_d = waiting_q;
    lost_d = lost_q + dropped;
    count = waiting_q;
    if (trigger_i) begin
      count = waiting_q + count_t'(1) + lost_d;
      waiting_d = count;
      lost_d = '0;
    end
    if (dispatches) begin
      waiting_d = '0;
      if (!place) lost_d = lost_d + count;
    end
  end

  always_ff @(posedge clk_i) begin
    if (!rst_ni) begin
      waiting_q <= '0;
      lost_q <= '0;
    end else begin
      waiting_q <= waiting_d;
      lost_q <= lost_d;
    end
  end

  assign lost_o = lost_q;
endmodule
