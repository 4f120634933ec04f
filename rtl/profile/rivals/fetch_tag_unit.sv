// Tags the first instruction of the packet that is fetched in the sampled cycle, or of the next one, and reports it
// when it commits: IBM RIS.
//
//   trigger --fetch--> tag on a packet --its first instruction dispatches--> tag in the ROB (rob_tag) --> sample
//      '--no fetch--> waits      '--redirect--> dropped
//
// One tag, on its way from fetch to commit. A trigger whose tag is dropped or squashed, or that finds the tag in use,
// gives no sample: the next trigger is given its count. begins_i, left_i, dropped_i: of packet_order, or of a core that
// knows by itself. Latency: none; a sample is complete in the cycle in which its instruction leaves the ROB.
module fetch_tag_unit
  import config_pkg::*;
  import events_pkg::*;
  import records_pkg::*;
  import rival_pkg::*;
#(
  parameter psv_t Events = '1
) (
  input  logic                       clk_i,
  input  logic                       rst_ni,
  input  logic                       trigger_i,
  input  commit_bundle_t             bundle_i,
  input  logic [CoreWidth-1:0]       begins_i,
  input  logic [$clog2(FtqEntries+1)-1:0] left_i,     // packets between fetch and dispatch
  input  logic                       dropped_i,
  output logic                       valid_o,
  output rival_sample_t              sample_o,
  output count_t                     lost_o     // triggers that the next one will be given
);
  typedef logic [$clog2(FtqEntries+1)-1:0] packets_t;
  logic tagged_q, tagged_d;          // a packet is
  packets_t ahead_q, ahead, ahead_d; // packets that dispatch before it
  count_t count_q, count_d;          // its triggers
  count_t waiting_q, waiting_d;      // triggers that wait for a packet
  count_t lost_q, lost_d, dropped;
  logic place, free, dispatches, tags;
  slots_t slot;

  rob_tag #(.Events(Events)) u_rob_tag (
    .clk_i(clk_i), .rst_ni(rst_ni), .bundle_i(bundle_i), .place_i(place), .slot_i(slot), .count_i(count_q),
    .free_o(free), .dropped_o(dropped), .valid_o(valid_o), .sample_o(sample_o)
  );

  // The tagged packet begins in the slot that as many packets go before as are ahead of it.
  always_comb begin
    dispatches = 1'b0;
    slot = '0;
    ahead = ahead_q;
    if (tagged_q) begin
      for (int i = 0; i < CoreWidth; i++) begin
        if (begins_i[i] && !dispatches) begin
          if (ahead == '0) begin
            dispatches = 1'b1;
            slot = slots_t'(i);
          end else ahead = ahead - packets_t'(1);
        end
      end
    end
  end
  assign place = dispatches && !rival_clears(bundle_i);

  // Triggers whose tag is dropped in this cycle, and those that want a tag in it: the ones that waited, and with a
  // trigger it and all that were lost before.
  count_t gone, fresh;
  always_comb begin
    gone = lost_q + dropped;
    if (tagged_q && !place && (dispatches || dropped_i)) gone = gone + count_q;
    fresh = waiting_q;
    if (trigger_i) fresh = waiting_q + count_t'(1) + gone;
  end

  assign tags = bundle_i.fetch_valid && !dropped_i && free && !tagged_q && fresh != '0;
  always_comb begin
    waiting_d = bundle_i.fetch_valid ? '0 : fresh;
    lost_d = trigger_i ? '0 : gone;
    if (bundle_i.fetch_valid && !tags) lost_d = lost_d + fresh;
    tagged_d = tags || (tagged_q && !dispatches && !dropped_i);
    ahead_d = tags ? left_i : ahead;
    count_d = tags ? fresh : count_q;
  end

  always_ff @(posedge clk_i) begin
    if (!rst_ni) begin
      tagged_q <= 1'b0;
      waiting_q <= '0;
      lost_q <= '0;
    end else begin
      tagged_q <= tagged_d;
      waiting_q <= waiting_d;
      lost_q <= lost_d;
    end
    ahead_q <= ahead_d;
    count_q <= count_d;
  end

  assign lost_o = lost_q;

  `include "assert.svh"
  `ASSERT(OneTag, !(tagged_q && !free))
endmodule
