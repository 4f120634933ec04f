// NCI, the next-committing instruction: the oldest that commits in the sampled cycle, else the next that does (Intel
// PEBS).
//
// Triggers that come before anything commits are counted: they belong to the same instruction.
// Latency: none; a sample is complete in the cycle in which its instruction commits.
module nci_unit
  import events_pkg::*;
  import records_pkg::*;
  import rival_pkg::*;
#(
  parameter psv_t Events = '1  // that it records
) (
  input  logic           clk_i,
  input  logic           rst_ni,
  input  logic           trigger_i,
  input  commit_bundle_t bundle_i,
  output logic           valid_o,
  output rival_sample_t  sample_o
);
  count_t waiting_q, waiting;  // triggers
  assign waiting = waiting_q + count_t'(trigger_i);
  assign valid_o = bundle_i.commit != '0 && waiting != '0;

  always_ff @(posedge clk_i) begin
    if (!rst_ni || valid_o) waiting_q <= '0;
    else waiting_q <= waiting;
  end

  assign sample_o = '{named: 1'b1, pc: bundle_i.pc[bundle_i.oldest], psv: bundle_i.psv[bundle_i.oldest] & Events,
                      priv: bundle_i.priv, space: bundle_i.space, count: waiting};
endmodule
