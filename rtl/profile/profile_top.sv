// The profiling units around the commit bundle: everything that another core needs to attach (docs/integration.md).
//
//   bundle -> oir_update -> sample_select -> tip_unit or tea_unit -> tip_csrs -> software
//                                               ^ trigger
//   bundle, mode, state -> pmu -----------------'
module profile_top
  import config_pkg::*;
  import records_pkg::*;
  import core_pkg::*;
(
  input  logic              clk_i,
  input  logic              rst_ni,
  input  commit_bundle_t    bundle_i,
  input  priv_e             priv_i,
  input  logic [LaneBits:0] retired_i,         // instructions that commit in this cycle
  input  csr_req_t          csr_req_i,
  output word_t             csr_rdata_o,
  output logic              lcofi_o,           // pulse: sets mip.LCOFIP
  output sample_t           sample_o,          // what a sample of this cycle would be
  output oir_t              oir_o,
  output logic              sample_trigger_o,  // a sample is taken of this cycle
  output logic              sample_ready_o     // pulse: a sample can be read
);
  logic trigger, collision, ready, acknowledge, seed_valid;
  sample_t held;
  word_t period, pmu_rdata, tip_rdata;
  logic [5:0] jitter_bits;
  logic [31:0] seed;

  oir_update u_oir_update (.clk_i(clk_i), .rst_ni(rst_ni), .bundle_i(bundle_i), .oir_o(oir_o));

  sample_select u_sample_select (.bundle_i(bundle_i), .oir_i(oir_o), .sample_o(sample_o));

  if (Tea != 0) begin : gen_tea
    tea_unit u_tea_unit (
      .clk_i(clk_i), .rst_ni(rst_ni), .trigger_i(trigger), .select_i(sample_o), .bundle_i(bundle_i),
      .acknowledge_i(acknowledge), .taken_o(sample_trigger_o), .collision_o(collision),
      .ready_o(ready), .ready_pulse_o(sample_ready_o), .sample_o(held)
    );
  end else begin : gen_tip
    tip_unit u_tip_unit (
      .clk_i(clk_i), .rst_ni(rst_ni), .trigger_i(trigger), .select_i(sample_o),
      .dispatch_valid_i(bundle_i.dispatch_valid[0]), .dispatch_pc_i(bundle_i.dispatch_pc[0]),
      .acknowledge_i(acknowledge), .taken_o(sample_trigger_o), .collision_o(collision),
      .ready_o(ready), .ready_pulse_o(sample_ready_o), .sample_o(held)
    );
  end

  tip_csrs u_tip_csrs (
    .clk_i(clk_i), .rst_ni(rst_ni), .req_i(csr_req_i), .rdata_o(tip_rdata),
    .collision_i(collision), .ready_i(ready), .sample_i(held), .acknowledge_o(acknowledge),
    .period_o(period), .jitter_bits_o(jitter_bits), .seed_valid_o(seed_valid), .seed_o(seed)
  );

  pmu u_pmu (
    .clk_i(clk_i), .rst_ni(rst_ni), .bundle_i(bundle_i), .state_i(sample_o.state), .priv_i(priv_i),
    .retired_i(retired_i), .req_i(csr_req_i), .rdata_o(pmu_rdata),
    .period_i(period), .jitter_bits_i(jitter_bits), .seed_valid_i(seed_valid), .seed_i(seed),
    .lcofi_o(lcofi_o), .trigger_o(trigger)
  );

  assign csr_rdata_o = tip_rdata | pmu_rdata;
endmodule
