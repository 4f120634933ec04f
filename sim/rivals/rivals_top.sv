// The rival profilers' units side by side on one commit bundle and one trigger: what `tipoff run --worker rivals`
// clocks beside the core, and compares with the C models. Records as plain ports of fixed size; unit i is the i-th name
// of csrc/workers/rival_units.h.
module rivals_top
  import config_pkg::*;
  import events_pkg::*;
  import event_sets_pkg::*;
  import records_pkg::*;
  import rival_pkg::*;
(
  input  logic        clk_i,
  input  logic        rst_ni,
  input  logic        trigger_i,
  // the bundle; lanes and slots from 0 on, those that the core does not have are not read
  input  logic [7:0]  commit_i,
  input  logic [7:0]  flush_i,
  input  logic [2:0]  oldest_i,
  input  logic        rob_empty_i,
  input  logic [3:0]  exception_i,       // raised; interrupt; replay; redirect of the front end: from bit 0 on
  input  logic [15:0] exception_psv_i,
  input  logic [1:0]  priv_i,
  input  logic [63:0] space_i,
  input  logic [63:0] pc_i [8],
  input  logic [15:0] psv_i [8],
  input  logic        fetch_valid_i,
  input  logic [63:0] fetch_pc_i,
  input  logic [7:0]  dispatch_valid_i,
  input  logic [63:0] dispatch_pc_i [8],
  input  logic [15:0] dispatch_rob_i,
  // by unit
  output logic [7:0]  valid_o,           // a sample is complete in this cycle
  output logic [7:0]  named_o,
  output logic [63:0] pc_o [8],
  output logic [15:0] psv_o [8],
  output logic [1:0]  priv_o [8],
  output logic [63:0] space_o [8],
  output logic [31:0] count_o [8],
  output logic [31:0] lost_o [8]         // triggers that the next sample will be given, of the cycles before
);
  localparam int unsigned Rivals = 8;
  commit_bundle_t bundle;
  always_comb begin
    bundle = '0;
    bundle.commit = commit_i[CoreWidth-1:0];
    bundle.flush = flush_i[CoreWidth-1:0];
    bundle.oldest = oldest_i[LaneBits-1:0];
    bundle.rob_empty = rob_empty_i;
    {bundle.redirect, bundle.replay, bundle.interrupt, bundle.exception} = exception_i;
    bundle.exception_psv = exception_psv_i[PsvBits-1:0];
    bundle.priv = priv_i;
    bundle.space = space_i[SpaceBits-1:0];
    bundle.fetch_valid = fetch_valid_i;
    bundle.fetch_pc = fetch_pc_i;
    bundle.dispatch_valid = dispatch_valid_i[CoreWidth-1:0];
    bundle.dispatch_rob = dispatch_rob_i[RobIdxBits-1:0];
    for (int i = 0; i < CoreWidth; i++) begin
      bundle.pc[i] = pc_i[i];
      bundle.psv[i] = psv_i[i][PsvBits-1:0];
      bundle.dispatch_pc[i] = dispatch_pc_i[i];
    end
  end

  logic [CoreWidth-1:0] begins;
  logic [$clog2(FtqEntries+1)-1:0] left;
  logic dropped;
  packet_order u_packet_order (
    .clk_i(clk_i), .rst_ni(rst_ni), .bundle_i(bundle), .begins_o(begins), .left_o(left), .dropped_o(dropped)
  );

  rival_sample_t sample [Rivals];
  lci_unit u_lci (
    .clk_i(clk_i), .rst_ni(rst_ni), .trigger_i(trigger_i), .bundle_i(bundle), .valid_o(valid_o[0]), .sample_o(sample[0])
  );
  nci_unit #(.Events('0)) u_nci (
    .clk_i(clk_i), .rst_ni(rst_ni), .trigger_i(trigger_i), .bundle_i(bundle), .valid_o(valid_o[1]), .sample_o(sample[1])
  );
  nci_unit u_nci_tea (
    .clk_i(clk_i), .rst_ni(rst_ni), .trigger_i(trigger_i), .bundle_i(bundle), .valid_o(valid_o[2]), .sample_o(sample[2])
  );
  dispatch_tag_unit #(.Events('0)) u_dispatch (
    .clk_i(clk_i), .rst_ni(rst_ni), .trigger_i(trigger_i), .bundle_i(bundle),
    .valid_o(valid_o[3]), .sample_o(sample[3]), .lost_o(lost_o[3])
  );
  dispatch_tag_unit #(.Events(IbsEvents)) u_ibs (
    .clk_i(clk_i), .rst_ni(rst_ni), .trigger_i(trigger_i), .bundle_i(bundle),
    .valid_o(valid_o[4]), .sample_o(sample[4]), .lost_o(lost_o[4])
  );
  dispatch_tag_unit #(.Events(SpeEvents), .Traps(1'b1)) u_spe (
    .clk_i(clk_i), .rst_ni(rst_ni), .trigger_i(trigger_i), .bundle_i(bundle),
    .valid_o(valid_o[5]), .sample_o(sample[5]), .lost_o(lost_o[5])
  );
  fetch_tag_unit #(.Events('0)) u_fetch (
    .clk_i(clk_i), .rst_ni(rst_ni), .trigger_i(trigger_i), .bundle_i(bundle),
    .begins_i(begins), .left_i(left), .dropped_i(dropped),
    .valid_o(valid_o[6]), .sample_o(sample[6]), .lost_o(lost_o[6])
  );
  fetch_tag_unit #(.Events(RisEvents)) u_ris (
    .clk_i(clk_i), .rst_ni(rst_ni), .trigger_i(trigger_i), .bundle_i(bundle),
    .begins_i(begins), .left_i(left), .dropped_i(dropped),
    .valid_o(valid_o[7]), .sample_o(sample[7]), .lost_o(lost_o[7])
  );
  for (genvar i = 0; i < 3; i++) begin : gen_never_lost
    assign lost_o[i] = '0;
  end

  for (genvar i = 0; i < Rivals; i++) begin : gen_unit
    assign named_o[i] = sample[i].named;
    assign pc_o[i] = sample[i].pc;
    assign psv_o[i] = 16'(sample[i].psv);
    assign priv_o[i] = sample[i].priv;
    assign space_o[i] = 64'(sample[i].space);
    assign count_o[i] = sample[i].count;
  end
endmodule
