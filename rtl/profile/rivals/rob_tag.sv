// One tag on an instruction in the ROB: where it is, until it commits, is squashed, or raises an exception.
//
//   free --place--> tagged --commits, or traps where Traps--> sample
//                     '--squashed----------------------------> its triggers are dropped
//
// A core would carry the tag as a bit of the entry; on the commit bundle alone it is an index: the tag's is compared
// with the oldest entry's and with the next one's. A tag beyond the next entry has been squashed.
// Latency: none; free_o says whether a tag can be placed in this cycle, in which the old one may leave.
module rob_tag
  import config_pkg::*;
  import events_pkg::*;
  import records_pkg::*;
  import rival_pkg::*;
#(
  parameter psv_t Events = '1,   // that the sample records
  parameter bit   Traps  = 1'b0  // an instruction that raises an exception is a sample, too
) (
  input  logic           clk_i,
  input  logic           rst_ni,
  input  commit_bundle_t bundle_i,
  input  logic           place_i,    // only while free_o, and not in a cycle that clears the ROB
  input  slots_t         slot_i,     // of dispatch
  input  count_t         count_i,    // triggers
  output logic           free_o,
  output count_t         dropped_o,  // triggers of a tag that is squashed
  output logic           valid_o,
  output rival_sample_t  sample_o
);
  logic valid_q;
  position_t tag_q, head_q;
  count_t count_q;

  position_t head, tail, to_tail, age;
  assign tail = rival_position(bundle_i.dispatch_rob);
  assign head = bundle_i.rob_empty ? tail : head_q;
  assign to_tail = rival_distance(tag_q, tail);
  assign age = rival_distance(head, tag_q);

  logic squashed, commits, traps, leaves;
  assign squashed = to_tail == '0 || 32'(to_tail) > RobEntries;
  assign commits = 32'(age) < 32'(rival_commits(bundle_i));
  assign traps = Traps && age == '0 && bundle_i.exception && !bundle_i.interrupt && !bundle_i.replay;
  assign leaves = squashed || commits || rival_clears(bundle_i);
  assign valid_o = valid_q && !squashed && (commits || traps);
  assign free_o = !valid_q || leaves;
  assign dropped_o = valid_q && leaves && !valid_o ? count_q : '0;

  logic [LaneBits-1:0] lane;
  assign lane = rival_lane(bundle_i.oldest, commits ? slots_t'(age) : '0);
  assign sample_o = '{named: 1'b1, pc: bundle_i.pc[lane],
                      psv: (bundle_i.exception ? bundle_i.exception_psv : bundle_i.psv[lane]) & Events,
                      priv: bundle_i.priv, space: bundle_i.space, count: count_q};

  always_ff @(posedge clk_i) begin
    if (!rst_ni) begin
      valid_q <= 1'b0;
      head_q <= '0;
    end else begin
      valid_q <= place_i || !free_o;
      head_q <= rival_behind(head, rival_commits(bundle_i));
    end
    if (place_i) begin
      tag_q <= rival_behind(tail, slot_i);
      count_q <= count_i;
    end
  end

  `include "assert.svh"
  `ASSERT(PlacedWhenFree, !place_i || (free_o && !rival_clears(bundle_i)))
endmodule
