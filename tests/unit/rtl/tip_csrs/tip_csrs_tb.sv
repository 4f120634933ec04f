// tip_csrs with its records as plain ports of fixed size.
module tip_csrs_tb
  import config_pkg::*;
  import events_pkg::*;
  import records_pkg::*;
  import core_pkg::*;
  import profile_pkg::*;
(
  input  logic        clk_i,
  input  logic        rst_ni,
  output logic [3:0]  width_o,
  input  logic [11:0] addr_i,
  input  logic        write_i,
  input  logic [63:0] wdata_i,
  output logic [63:0] rdata_o,
  input  logic [11:0] host_addr_i,
  output logic [63:0] host_rdata_o,
  input  logic        hidden_i,
  input  logic        lost_i,
  input  logic        ready_i,
  input  logic [1:0]  state_i,
  input  logic [7:0]  valid_i,
  input  logic [2:0]  oldest_i,
  input  logic        exception_i,
  input  logic        flush_i,
  input  logic        mispredict_i,
  input  logic        partial_i,
  input  logic [1:0]  priv_i,
  input  logic [63:0] space_i,
  input  logic [63:0] cycle_i,
  input  logic [31:0] repeats_i,
  input  logic [31:0] stalled_i,
  input  logic [63:0] lane_addr_i [8],
  input  logic [15:0] lane_psv_i [8],
  output logic        acknowledge_o,
  output logic [63:0] period_o,
  output logic        golden_o,
  output logic [5:0]  jitter_bits_o,
  output logic        draws_o,
  output logic        changed_o,
  output logic        seed_valid_o,
  output logic [31:0] seed_o
);
  sample_t sample;
  csr_req_t req;
  assign width_o = 4'(CoreWidth);
  assign req = '{addr: addr_i, write: write_i, wdata: wdata_i};
  always_comb begin
    sample.state = state_e'(state_i);
    sample.valid = valid_i[CoreWidth-1:0];
    sample.oldest = oldest_i[LaneBits-1:0];
    sample.exception = exception_i;
    sample.flush = flush_i;
    sample.mispredict = mispredict_i;
    sample.priv = priv_i;
    sample.space = space_i[SpaceBits-1:0];
    for (int i = 0; i < CoreWidth; i++) begin
      sample.addr[i] = lane_addr_i[i];
      sample.psv[i] = lane_psv_i[i][PsvBits-1:0];
    end
  end
  logic [63:0] late_wdata_q;
  always_ff @(posedge clk_i) late_wdata_q <= wdata_i;
  tip_csrs u_tip_csrs (
    .clk_i(clk_i), .rst_ni(rst_ni), .req_i(req), .wdata_i(late_wdata_q), .rdata_o(rdata_o),
    .hidden_i(hidden_i), .lost_i(lost_i), .ready_i(ready_i),
    .sample_i('{partial: partial_i, sample: sample, cycle: cycle_i, repeats: repeats_i, stalled: stalled_i}),
    .acknowledge_o(acknowledge_o), .period_o(period_o), .golden_o(golden_o), .jitter_bits_o(jitter_bits_o),
    .draws_o(draws_o), .changed_o(changed_o), .seed_valid_o(seed_valid_o),
    .seed_o(seed_o)
  );
  // What the harness reads: nothing is hidden from it.
  assign host_rdata_o = u_tip_csrs.read(host_addr_i, 1'b0);
endmodule
