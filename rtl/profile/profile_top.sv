// The profiling units around the commit bundle: everything that another core needs to attach (docs/integration.md).
//
//   bundle -> oir_update -> sample_select -> tip_unit or tea_unit -> sample_delivery -> tip_csrs -> software
//      |                        | state           ^ trigger               '-> interrupt
//      '----------------------> pmu --------------+
//                               trigger_i --------'  of a counter elsewhere
module profile_top
  import config_pkg::*;
  import records_pkg::*;
  import core_pkg::*;
  import profile_pkg::*;
(
  input  logic           clk_i,
  input  logic           rst_ni,
  input  commit_bundle_t bundle_i,
  input  logic           trigger_i,       // take a sample of this cycle, as if the sampling counter had overflowed
  input  csr_req_t       csr_req_i,
  output word_t          csr_rdata_o,
  output logic           lcofi_o,         // pulse: sets mip.LCOFIP
  output sample_t        sample_o,        // what a sample of this cycle would be
  output oir_t           oir_o,
  output logic           trigger_o,       // the sampling counter overflows
  output logic           sample_taken_o,  // a sample is taken of this cycle
  output logic           sample_ready_o   // pulse: a sample can be read
);
  logic trigger, announces, announce, take, lost, interrupt, overflow_interrupt, ready, acknowledge, seed_valid;
  hold_t hold;
  sample_t held;
  delivery_t delivered;
  word_t period, pmu_rdata, tip_rdata;
  logic golden;
  logic [5:0] jitter_bits;
  logic [31:0] seed;

  oir_update u_oir_update (.clk_i(clk_i), .rst_ni(rst_ni), .bundle_i(bundle_i), .oir_o(oir_o));

  sample_select u_sample_select (.bundle_i(bundle_i), .oir_i(oir_o), .sample_o(sample_o));

  assign trigger = trigger_o || trigger_i;
  assign announce = trigger_i || announces;
  if (Tea != 0) begin : gen_tea
    tea_unit u_tea_unit (
      .clk_i(clk_i), .rst_ni(rst_ni), .trigger_i(trigger), .select_i(sample_o), .bundle_i(bundle_i), .take_i(take),
      .hold_o(hold), .sample_o(held)
    );
  end else begin : gen_tip
    tip_unit u_tip_unit (
      .clk_i(clk_i), .rst_ni(rst_ni), .trigger_i(trigger), .select_i(sample_o), .bundle_i(bundle_i), .take_i(take),
      .hold_o(hold), .sample_o(held)
    );
  end
  assign sample_taken_o = hold.taken;

  sample_delivery u_sample_delivery (
    .clk_i(clk_i), .rst_ni(rst_ni), .announce_i(announce), .hold_i(hold), .sample_i(held), .take_o(take),
    .acknowledge_i(acknowledge), .lost_o(lost), .interrupt_o(interrupt),
    .ready_o(ready), .ready_pulse_o(sample_ready_o), .sample_o(delivered)
  );

  tip_csrs u_tip_csrs (
    .clk_i(clk_i), .rst_ni(rst_ni), .req_i(csr_req_i), .rdata_o(tip_rdata), .hidden_i(bundle_i.priv != PRIV_M),
    .lost_i(lost), .ready_i(ready), .sample_i(delivered), .acknowledge_o(acknowledge),
    .period_o(period), .golden_o(golden), .jitter_bits_o(jitter_bits), .seed_valid_o(seed_valid), .seed_o(seed)
  );

  pmu u_pmu (
    .clk_i(clk_i), .rst_ni(rst_ni), .bundle_i(bundle_i), .state_i(sample_o.state), .req_i(csr_req_i), .rdata_o(pmu_rdata),
    .period_i(period), .golden_i(golden), .jitter_bits_i(jitter_bits), .seed_valid_i(seed_valid), .seed_i(seed),
    .lcofi_o(overflow_interrupt), .trigger_o(trigger_o), .announce_o(announces)
  );

  assign lcofi_o = overflow_interrupt || interrupt;
  assign csr_rdata_o = tip_rdata | pmu_rdata;
endmodule
