// The profiling units beside their specification, for every bundle that keeps the bundle rules.
//
// Where the latching units are proved they are given the specification's selection: PROVE_SELECT shows that it is the
// same. The first cycle is reset. Covers show that the assumptions leave every state, transition and story possible.
module profile_proof
  import config_pkg::*;
  import records_pkg::*;
(
  input logic           clk_i,
  input commit_bundle_t bundle_i,
  input logic           trigger_i,
  input logic           acknowledge_i,
  input logic [LaneBits-1:0] case_i  // the selection's proof looks at cycles in which this lane is the oldest: prove.py fixes it
);
  logic rst_n_q = 1'b0;
  always_ff @(posedge clk_i) rst_n_q <= 1'b1;

  logic [7:1] broken;
  bundle_rules u_rules (.clk_i(clk_i), .rst_ni(rst_n_q), .bundle_i(bundle_i), .broken_o(broken));

  oir_t oir, spec_oir;
  sample_t select, given, spec_select, tip, tea, spec_tip, spec_tea;
  logic [1:0] taken, collision, ready, pulse, spec_taken, spec_ready, spec_holding, spec_nameless, spec_unfinished;

  oir_update u_oir (.clk_i(clk_i), .rst_ni(rst_n_q), .bundle_i(bundle_i), .oir_o(oir));
  sample_select u_select (.bundle_i(bundle_i), .oir_i(oir), .sample_o(select));
`ifdef PROVE_TIP
  assign given = spec_select;
`elsif PROVE_TEA
  assign given = spec_select;
`else
  assign given = select;
`endif
  tip_unit u_tip (
    .clk_i(clk_i), .rst_ni(rst_n_q), .trigger_i(trigger_i), .select_i(given),
    .dispatch_valid_i(bundle_i.dispatch_valid[0]), .dispatch_pc_i(bundle_i.dispatch_pc[0]),
    .acknowledge_i(acknowledge_i), .taken_o(taken[0]), .collision_o(collision[0]), .ready_o(ready[0]),
    .ready_pulse_o(pulse[0]), .sample_o(tip)
  );
  tea_unit u_tea (
    .clk_i(clk_i), .rst_ni(rst_n_q), .trigger_i(trigger_i), .select_i(given), .bundle_i(bundle_i),
    .acknowledge_i(acknowledge_i), .taken_o(taken[1]), .collision_o(collision[1]), .ready_o(ready[1]),
    .ready_pulse_o(pulse[1]), .sample_o(tea)
  );
  profile_spec u_spec (
    .clk_i(clk_i), .rst_ni(rst_n_q), .bundle_i(bundle_i), .trigger_i(trigger_i), .acknowledge_i(acknowledge_i),
    .oir_o(spec_oir), .select_o(spec_select), .taken_o(spec_taken), .ready_o(spec_ready), .holding_o(spec_holding),
    .nameless_o(spec_nameless), .unfinished_o(spec_unfinished),
    .tip_o(spec_tip), .tea_o(spec_tea)
  );

  logic [1:0] was_ready_q = '0;
  logic had_q = 1'b0;
  state_e before_q;
  always_ff @(posedge clk_i) begin
    was_ready_q <= rst_n_q ? ready : '0;
    had_q <= rst_n_q;
    before_q <= select.state;
  end

  always_comb begin
    assume (bundle_i.oldest < (LaneBits + 1)'(CoreWidth));
    if (rst_n_q) begin
      assume (broken == '0);
`ifdef PROVE_OIR
      assert (oir == spec_oir);
      assert (oir.valid || oir == '0);
`endif
`ifdef PROVE_SELECT
      assert (spec_oir.valid || spec_oir == '0);
      assume (oir == spec_oir);  // proved by itself
      assert (bundle_i.oldest != case_i || select == spec_select);
`endif
`ifdef PROVE_TIP
      assert (taken[0] == spec_taken[0] && collision[0] == (trigger_i && !spec_taken[0]));
      assert (ready[0] == spec_ready[0] && pulse[0] == (ready[0] && !was_ready_q[0]));
      assert (!spec_holding[0] || tip == spec_tip);
      // How the unit's states and the story's facts go together: what induction needs.
      assert (u_tip.open_q == spec_nameless[0] && u_tip.ready_q == spec_ready[0] && u_tip.was_ready_q == was_ready_q[0]);
      assert (!spec_nameless[0] || (spec_holding[0] && spec_tip.state == STATE_DRAINED));
      assert (!spec_unfinished[0]);
`endif
`ifdef PROVE_TEA
      assert (taken[1] == spec_taken[1] && collision[1] == (trigger_i && !spec_taken[1]));
      assert (ready[1] == spec_ready[1] && pulse[1] == (ready[1] && !was_ready_q[1]));
      assert (!spec_holding[1] || tea == spec_tea);
      assert ((u_tea.hold_q != '0) == spec_holding[1]);  // 0 is IDLE
      assert ((u_tea.hold_q == 2'd1) == spec_nameless[1] && (u_tea.hold_q == 2'd3) == spec_ready[1]);
      assert (u_tea.was_ready_q == was_ready_q[1]);
      assert (!spec_nameless[1] || (spec_holding[1] && spec_unfinished[1] && spec_tea.state == STATE_DRAINED));
      assert (!spec_unfinished[1] || spec_holding[1]);
`endif
`ifdef COVER
      for (int s = 0; s < 4; s++) begin
        cover (ready[0] && tip.state == state_e'(s));
        cover (ready[1] && tea.state == state_e'(s));
        for (int t = 0; t < 4; t++) begin
          // An empty ROB stays of one kind until something has been in it.
          if (!(s == 2 && t == 3) && !(s == 3 && t == 2)) cover (had_q && before_q == state_e'(s) && select.state == state_e'(t));
        end
      end
      cover (collision[0]);
      cover (collision[1]);
      cover (ready[1] && tea.state == STATE_DRAINED && bundle_i.commit != '0);
      cover (spec_holding[1] && !ready[1] && bundle_i.exception);
      cover (oir.valid && oir.exception && bundle_i.rob_empty);
      cover (bundle_i.commit == '1 && bundle_i.first != '1);
`endif
    end
  end
endmodule
