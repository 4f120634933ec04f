// The profiling units around the commit bundle: everything that another core needs to attach
// (docs/guide/integration.md).
//
//   bundle -> oir_update -> sample_select -> | late_select -> tip_unit or tea_unit -> sample_delivery -> tip_csrs ->
//   software
//      |                        | state      | late_bundle      ^ trigger                 '-> interrupt
//      '----------------------> pmu ---------| adds up ---------'
//                               trigger_i ---| late_trigger
//
// Between the bars is the door: the units' registers come after the selection and the choice of what is counted. An
// overflow is known one cycle late, and with it comes what its own cycle has shown. So the way from the bundle ends
// after the selection. Samples that software reads have AddressBits of each address, with the uppermost repeated above
// (kept); sample_o and oir_o have all. Latency: sample_o and oir_o belong to this cycle; trigger_o, sample_taken_o and
// lcofi_o speak of the cycle before.
module profile_top
  import config_pkg::*;
  import events_pkg::*;
  import records_pkg::*;
  import core_pkg::*;
  import profile_pkg::*;
#(
  // trigger_i speaks of the cycle before; then the door keeps the selection of every cycle
  parameter bit LateTrigger = 1'b0,
  parameter bit Observes = 1'b0      // it is not the program's unit: no instruction of that does anything to it
) (
  input  logic           clk_i,
  input  logic           rst_ni,
  input  commit_bundle_t bundle_i,
  input  stale_t         stale_i,         // whose vectors may lack events; 0 where the core keeps them always
  input  coherence_t     coherence_i,     // what other harts do to this one; 0 where there are none
  // take a sample of this cycle (LateTrigger: the one before), as if the sampling counter had overflowed
  input  logic           trigger_i,
  input  csr_req_t       csr_req_i,
  output word_t          csr_rdata_o,
  output logic           lcofi_o,         // pulse: sets mip.LCOFIP
  output logic           reads_o,         // vectors are read, or will be soon: a core may keep them only then
  output sample_t        sample_o,        // what a sample of this cycle would be
  output oir_t           oir_o,
  output logic           trigger_o,       // the sampling counter has overflowed in the cycle before
  output logic           sample_taken_o,  // a sample is taken of the cycle before
  output logic           sample_ready_o   // pulse: a sample can be read
);
  logic near, trigger, late_trigger, announces, announce, take, lost, interrupt, overflow_interrupt, ready, acknowledge,
      draws, changed, seed_valid;
  hold_t hold;
  sample_t held;
  delivery_t delivered;
  word_t period, pmu_rdata, tip_rdata, csr_window_rdata, ctr_rdata, ctr_window_rdata;
  window_req_t window;
  logic golden;
  logic [5:0] jitter_bits;
  logic [31:0] seed;

  oir_update u_oir_update (.clk_i(clk_i), .rst_ni(rst_ni), .bundle_i(bundle_i), .oir_o(oir_o));

  sample_select u_sample_select (.bundle_i(bundle_i), .oir_i(oir_o), .sample_o(sample_o));

  // ---- the door: what the holding unit reads of a cycle, one cycle late ----
  sample_t late_select_q;
  logic dispatches_q, commits_q, excepts_q, empty_q, keep;
  logic acknowledge_q, shown;  // shown: a sample can be read, and has not been acknowledged in the cycle before
  assign shown = ready && !acknowledge_q;
  logic [63:0] late_pc_q;
  word_t late_wdata_q;  // of a CSR write, which is decoded in its own cycle
  psv_t late_psv_q;  // of the oldest instruction
  assign keep = LateTrigger || near || trigger_i;
  always_ff @(posedge clk_i) begin
    if (!rst_ni) begin
      acknowledge_q <= 1'b0;
    end else begin
      acknowledge_q <= acknowledge && shown;
    end
    if (keep) late_select_q <= sample_o;
    late_wdata_q <= csr_req_i.wdata;
    dispatches_q <= bundle_i.dispatch_valid[0];
    if (bundle_i.dispatch_valid[0] && bundle_i.rob_empty) late_pc_q <= bundle_i.dispatch_pc[0];
    commits_q <= bundle_i.commit != '0;
    excepts_q <= bundle_i.exception;
    empty_q <= bundle_i.rob_empty;
    if (bundle_i.exception || bundle_i.commit != '0)
      late_psv_q <= bundle_i.exception ? bundle_i.exception_psv : bundle_i.psv[bundle_i.oldest];
  end

  // Samples keep AddressBits of an address. Nobody reads the bits above, here and after each register below, so that
  // no flip-flop holds them.
  sample_t late_select, kept_held;
  delivery_t kept_delivered;
  assign late_select = kept(late_select_q);
  assign kept_held = kept(held);
  always_comb begin
    kept_delivered = delivered;
    kept_delivered.sample = kept(delivered.sample);
  end

  commit_bundle_t late_bundle;
  always_comb begin
    late_bundle = '0;
    late_bundle.dispatch_valid[0] = dispatches_q;
    late_bundle.dispatch_pc[0] = kept_addr(late_pc_q);
    late_bundle.commit[0] = commits_q;
    late_bundle.psv[0] = late_psv_q;
    late_bundle.exception = excepts_q;
    late_bundle.exception_psv = late_psv_q;
    late_bundle.rob_empty = empty_q;
  end

  // A sample's vectors are those of the oldest instruction and of younger ones, which have come later; or the
  // OIR's; or come yet.
  logic partial, late_partial_q, counted;
  always_comb
    case (sample_o.state)
      STATE_FLUSHED: partial = stale_i.offender;
      STATE_DRAINED: partial = 1'b0;
      default: partial = stale_i.oldest;
    endcase
  always_ff @(posedge clk_i) if (keep) late_partial_q <= VectorWindow != 0 && partial;
  assign reads_o = counted || !hold.offers;  // not offers: a sample waits for its vector

  if (LateTrigger) begin : gen_late
    assign late_trigger = trigger_i;
  end else begin : gen_own
    logic trigger_q;
    always_ff @(posedge clk_i) trigger_q <= rst_ni && trigger_i;
    assign late_trigger = trigger_q;
  end
  assign trigger = trigger_o || late_trigger;
  assign announce = late_trigger || announces;

  if (Tea != 0) begin : gen_tea
    tea_unit u_tea_unit (
      .clk_i(clk_i), .rst_ni(rst_ni), .trigger_i(trigger), .select_i(late_select), .bundle_i(late_bundle),
      .take_i(take), .hold_o(hold), .sample_o(held)
    );
  end else begin : gen_tip
    tip_unit u_tip_unit (
      .clk_i(clk_i), .rst_ni(rst_ni), .trigger_i(trigger), .select_i(late_select), .bundle_i(late_bundle),
      .take_i(take), .hold_o(hold), .sample_o(held)
    );
  end
  assign sample_taken_o = hold.taken;

  sample_delivery #(.FirstCycle('1)) u_sample_delivery (  // of the cycle before
    .clk_i(clk_i), .rst_ni(rst_ni), .announce_i(announce), .hold_i(hold), .sample_i(kept_held),
    .partial_i(late_partial_q), .take_o(take), .acknowledge_i(acknowledge_q), .lost_o(lost), .interrupt_o(interrupt),
    .ready_o(ready), .ready_pulse_o(sample_ready_o), .sample_o(delivered)
  );

  tip_csrs u_tip_csrs (
    .clk_i(clk_i), .rst_ni(rst_ni), .req_i(csr_req_i), .wdata_i(late_wdata_q), .rdata_o(tip_rdata),
    .hidden_i(bundle_i.priv != PRIV_M), .lost_i(lost), .ready_i(shown), .sample_i(kept_delivered),
    .acknowledge_o(acknowledge), .period_o(period), .golden_o(golden), .jitter_bits_o(jitter_bits), .draws_o(draws),
    .changed_o(changed), .seed_valid_o(seed_valid), .seed_o(seed)
  );

  pmu u_pmu (
    .clk_i(clk_i), .rst_ni(rst_ni), .bundle_i(bundle_i), .coherence_i(coherence_i), .state_i(sample_o.state),
    .req_i(csr_req_i), .rdata_o(pmu_rdata), .period_i(period), .golden_i(golden), .jitter_bits_i(jitter_bits),
    .draws_i(draws), .changed_i(changed), .seed_valid_i(seed_valid), .seed_i(seed), .lcofi_o(overflow_interrupt),
    .reads_o(counted), .near_o(near), .trigger_o(trigger_o), .announce_o(announces)
  );

  // Units with registers in the window answer it side by side, as they do CSRs (window_rdata_i: all of them ORed).
  csr_window u_csr_window (
    .clk_i(clk_i), .rst_ni(rst_ni), .req_i(csr_req_i), .rdata_o(csr_window_rdata), .window_o(window),
    .window_rdata_i(ctr_window_rdata)
  );

  ctr #(.Clears(!Observes)) u_ctr (
    .clk_i(clk_i), .rst_ni(rst_ni), .bundle_i(bundle_i), .req_i(csr_req_i), .rdata_o(ctr_rdata), .window_i(window),
    .window_rdata_o(ctr_window_rdata)
  );

  assign lcofi_o = overflow_interrupt || interrupt;
  assign csr_rdata_o = tip_rdata | pmu_rdata | csr_window_rdata | ctr_rdata;
endmodule
