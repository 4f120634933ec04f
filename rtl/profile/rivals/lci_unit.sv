// LCI, the last-committed instruction: the youngest that committed in an earlier cycle than the sampled one, as
// external debug monitors see it. A commit in the sampled cycle is not seen yet.
//
// Latency: none; a sample is complete in the cycle of its trigger.
module lci_unit
  import config_pkg::*;
  import records_pkg::*;
  import rival_pkg::*;
(
  input  logic           clk_i,
  input  logic           rst_ni,
  input  logic           trigger_i,
  input  commit_bundle_t bundle_i,
  output logic           valid_o,
  output rival_sample_t  sample_o
);
  logic named_q;
  logic [63:0] pc_q;
  logic [1:0] priv_q;
  logic [SpaceBits-1:0] space_q;

  // Commits are the oldest lanes without a gap.
  logic [LaneBits-1:0] youngest;
  assign youngest = rival_lane(bundle_i.oldest, rival_commits(bundle_i) - slots_t'(1));

  always_ff @(posedge clk_i) begin
    if (!rst_ni) named_q <= 1'b0;
    else if (bundle_i.commit != '0) named_q <= 1'b1;
    if (bundle_i.commit != '0) begin
      pc_q <= bundle_i.pc[youngest];
      priv_q <= bundle_i.priv;
      space_q <= bundle_i.space;
    end
  end

  assign valid_o = trigger_i;
  assign sample_o = '{named: named_q, pc: pc_q, psv: '0, priv: priv_q, space: space_q, count: count_t'(1)};
endmodule
