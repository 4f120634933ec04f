// tip_unit with its sample and the fields of the bundle that it reads as plain ports of fixed size.
module tip_unit_tb
  import config_pkg::*;
  import events_pkg::*;
  import records_pkg::*;
  import profile_pkg::*;
(
  input  logic        clk_i,
  input  logic        rst_ni,
  output logic [3:0]  width_o,
  input  logic        trigger_i,
  input  logic        take_i,
  // what a sample of this cycle would be
  input  logic [1:0]  state_i,
  input  logic [7:0]  valid_i,
  input  logic [2:0]  oldest_i,
  input  logic [2:0]  flags_i,       // exception, flush, mispredict
  input  logic [1:0]  priv_i,
  input  logic [63:0] space_i,
  input  logic [63:0] addr_i [8],
  input  logic [15:0] psv_i [8],
  // the bundle
  input  logic [7:0]  commit_i,
  input  logic [2:0]  head_i,        // its oldest lane
  input  logic [15:0] head_psv_i [8],
  input  logic        rob_empty_i,
  input  logic        exception_i,
  input  logic        replay_i,
  input  logic [15:0] exception_psv_i,
  input  logic        dispatch_valid_i,
  input  logic [63:0] dispatch_pc_i,
  output logic [7:0]  hold_o,        // taken, further, lost, stalled, ends, instant, held, complete, from bit 7 on
  output logic [1:0]  state_o,
  output logic [7:0]  valid_o,
  output logic [2:0]  oldest_o,
  output logic [2:0]  flags_o,
  output logic [1:0]  priv_o,
  output logic [63:0] space_o,
  output logic [63:0] addr_o [8],
  output logic [15:0] psv_o [8]
);
  sample_t select, sample;
  commit_bundle_t bundle;
  hold_t hold;
  assign width_o = 4'(CoreWidth);
  always_comb begin
    select.state = state_e'(state_i);
    select.valid = valid_i[CoreWidth-1:0];
    select.oldest = oldest_i[LaneBits-1:0];
    {select.exception, select.flush, select.mispredict} = flags_i;
    select.priv = priv_i;
    select.space = space_i[SpaceBits-1:0];
    bundle = '0;
    bundle.commit = commit_i[CoreWidth-1:0];
    bundle.oldest = head_i[LaneBits-1:0];
    bundle.rob_empty = rob_empty_i;
    bundle.exception = exception_i;
    bundle.replay = replay_i;
    bundle.exception_psv = exception_psv_i[PsvBits-1:0];
    bundle.dispatch_valid[0] = dispatch_valid_i;
    bundle.dispatch_pc[0] = dispatch_pc_i;
    for (int i = 0; i < CoreWidth; i++) begin
      select.addr[i] = addr_i[i];
      select.psv[i] = psv_i[i][PsvBits-1:0];
      bundle.psv[i] = head_psv_i[i][PsvBits-1:0];
    end
  end
  tip_unit u_tip_unit (
    .clk_i(clk_i), .rst_ni(rst_ni), .trigger_i(trigger_i), .select_i(select), .bundle_i(bundle), .take_i(take_i),
    .hold_o(hold), .sample_o(sample)
  );
  assign hold_o = {hold.taken, hold.further, hold.lost, hold.stalled, hold.ends, hold.instant, hold.held,
                   hold.complete};
  assign state_o = sample.state;
  assign valid_o = 8'(sample.valid);
  assign oldest_o = 3'(sample.oldest);
  assign flags_o = {sample.exception, sample.flush, sample.mispredict};
  assign priv_o = sample.priv;
  assign space_o = 64'(sample.space);
  for (genvar i = 0; i < 8; i++) begin : gen_lane
    if (i < CoreWidth) begin : gen_used
      assign addr_o[i] = sample.addr[i];
      assign psv_o[i] = 16'(sample.psv[i]);
    end else begin : gen_unused
      assign addr_o[i] = '0;
      assign psv_o[i] = '0;
    end
  end
endmodule
