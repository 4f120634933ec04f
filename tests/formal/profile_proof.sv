// The profiling units beside their specification, for every bundle that keeps the bundle rules.
//
// Where a holding unit is proved, together with what delivers its samples, it is given the specification's selection:
// PROVE_SELECT shows them equal. The first cycle is reset. Counts of further triggers are two bits wide, so
// that they fill up. Covers show that the assumptions leave every state, transition and story possible.
module profile_proof
  import config_pkg::*;
  import records_pkg::*;
  import profile_pkg::*;
(
  input logic           clk_i,
  input commit_bundle_t bundle_i,
  input logic           trigger_i,
  input logic           announce_i,
  input logic           acknowledge_i,
  // the selection's proof looks at cycles in which this lane is the oldest: prove.py fixes it
  input logic [LaneBits-1:0] case_i
);
  localparam int unsigned CountBits = 2;
  logic rst_n_q = 1'b0;
  always_ff @(posedge clk_i) rst_n_q <= 1'b1;

  logic [7:1] broken;
  bundle_rules u_rules (.clk_i(clk_i), .rst_ni(rst_n_q), .bundle_i(bundle_i), .broken_o(broken));

  oir_t oir, spec_oir;
  sample_t select, given, spec_select;
  oir_update u_oir (.clk_i(clk_i), .rst_ni(rst_n_q), .bundle_i(bundle_i), .oir_o(oir));
  sample_select u_select (.bundle_i(bundle_i), .oir_i(oir), .sample_o(select));
  profile_spec u_spec (.clk_i(clk_i), .rst_ni(rst_n_q), .bundle_i(bundle_i), .oir_o(spec_oir), .select_o(spec_select));
`ifdef COVER
  assign given = select;
`else
  assign given = spec_select;
`endif

  // [0]: tip_unit, [1]: tea_unit, each with its delivery and its story
  hold_t [1:0] hold;
  sample_t [1:0] held, kept;  // shown; in the unit's register
  logic [1:0] done, open;     // the unit's sample is complete; has no name yet
  logic [1:0] take, lost, interrupts, ready, pulse;
  logic [1:0] interrupt = '0;  // of the cycle before, as the specification gives it
  always_ff @(posedge clk_i) interrupt <= rst_n_q ? interrupts : '0;
  delivery_t [1:0] read;
  logic [1:0] spec_taken, spec_lost, spec_interrupt, spec_seen, spec_pulse, nameless, unfinished, announces;
  logic [1:0][1:0] count;
  sample_t [1:0] oldest, youngest;
  logic [1:0][1:0][63:0] cycle;
  logic [1:0][1:0][CountBits-1:0] repeats, stalled;

  tip_unit u_tip (
    .clk_i(clk_i), .rst_ni(rst_n_q), .trigger_i(trigger_i), .select_i(given), .bundle_i(bundle_i), .take_i(take[0]),
    .hold_o(hold[0]), .sample_o(held[0])
  );
  tea_unit u_tea (
    .clk_i(clk_i), .rst_ni(rst_n_q), .trigger_i(trigger_i), .select_i(given), .bundle_i(bundle_i), .take_i(take[1]),
    .hold_o(hold[1]), .sample_o(held[1])
  );
  assign kept = {u_tea.sample_q, u_tip.sample_q};
  assign open = {u_tea.hold_q == 2'd1, u_tip.hold_q == 2'd1};  // 0 is IDLE
  assign done = {u_tea.hold_q == 2'd3, u_tip.hold_q == 2'd2};

  logic [1:0][63:0] story_cycle, now;
  logic [1:0][7:1] carry;
  logic [1:0] last;
  logic [1:0][6:1] full;
  logic [1:0][CountBits-1:0] story_repeats, story_stalled;
  logic [1:0] story_announce;
  for (genvar u = 0; u < 2; u++) begin : gen_unit
    sample_delivery #(.CountBits(CountBits)) u_delivery (
      .clk_i(clk_i), .rst_ni(rst_n_q), .announce_i(announce_i), .hold_i(hold[u]), .sample_i(held[u]), .partial_i(1'b0),
      .take_o(take[u]), .acknowledge_i(acknowledge_i), .lost_o(lost[u]), .interrupt_o(interrupts[u]),
      .ready_o(ready[u]), .ready_pulse_o(pulse[u]), .sample_o(read[u])
    );
    assign story_cycle[u] = u_delivery.story_q.cycle;
    assign story_repeats[u] = u_delivery.story_q.repeats;
    assign story_stalled[u] = u_delivery.story_q.stalled;
    assign story_announce[u] = u_delivery.story_q.announce;
    assign now[u] = u_delivery.cycle_q;
    assign carry[u] = u_delivery.carry_q;
    assign last[u] = u_delivery.last_q;
    assign full[u] = u_delivery.full_q;
    sample_story #(.Tea(u == 1), .CountBits(CountBits)) u_story (
      .clk_i(clk_i), .rst_ni(rst_n_q), .bundle_i(bundle_i), .select_i(given), .trigger_i(trigger_i),
      .announce_i(announce_i), .acknowledge_i(acknowledge_i), .taken_o(spec_taken[u]), .lost_o(spec_lost[u]),
      .interrupt_o(spec_interrupt[u]), .seen_o(spec_seen[u]), .pulse_o(spec_pulse[u]), .count_o(count[u]),
      .oldest_o(oldest[u]), .youngest_o(youngest[u]), .cycle_o(cycle[u]), .repeats_o(repeats[u]),
      .stalled_o(stalled[u]), .nameless_o(nameless[u]), .unfinished_o(unfinished[u]), .announces_o(announces[u])
    );
  end

  // ---- conservation, modulo 2^8: every trigger is in a sample that was read or is in flight, or is counted as lost
  // ----
  logic [1:0][7:0] triggers_q = '0, read_q = '0, lost_q = '0;
  logic [1:0][63:0] last_q = '0;   // cycle of the sample that was read last
  logic [1:0] has_read_q = '0;
  for (genvar u = 0; u < 2; u++) begin : gen_count
    always_ff @(posedge clk_i) begin
      if (rst_n_q) begin
        triggers_q[u] <= triggers_q[u] + 8'(trigger_i);
        lost_q[u] <= lost_q[u] + 8'(lost[u]);
        if (ready[u] && acknowledge_i) begin
          read_q[u] <= read_q[u] + 8'd1 + read[u].repeats[7:0] + read[u].stalled[7:0];
          last_q[u] <= read[u].cycle;
          has_read_q[u] <= 1'b1;
        end
      end
    end
  end
  function automatic logic [7:0] weight(input logic there, input logic [CountBits-1:0] further,
                                        input logic [CountBits-1:0] behind);
    weight = there ? 8'd1 + 8'(further) + 8'(behind) : 8'd0;
  endfunction

  // PROVE_TIP, PROVE_TEA: equal to the story. PROVE_TIP_COUNT, PROVE_TEA_COUNT: order and conservation, of the RTL
  // alone.
`ifdef PROVE_TIP
  localparam int unsigned U = 0;
`define PROVE_STORY
`elsif PROVE_TEA
  localparam int unsigned U = 1;
`define PROVE_STORY
`elsif PROVE_TIP_COUNT
  localparam int unsigned U = 0;
`define PROVE_COUNT
`elsif PROVE_TEA_COUNT
  localparam int unsigned U = 1;
`define PROVE_COUNT
`endif

  logic had_q = 1'b0;
  state_e before_q;
  always_ff @(posedge clk_i) begin
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
`ifdef PROVE_STORY
      // What others see.
      assert (hold[U].taken == spec_taken[U] && lost[U] == spec_lost[U]);
      assert (interrupt[U] == spec_interrupt[U] && ready[U] == spec_seen[U] && pulse[U] == spec_pulse[U]);
      assert (!ready[U] || (read[U].sample == oldest[U] && read[U].cycle == cycle[U][0] &&
                            read[U].repeats == 32'(repeats[U][0]) &&
                            read[U].stalled == 32'(stalled[U][0])));
      // How the unit and the register go together with the queue: what induction needs.
      assert (count[U] == 2'(ready[U]) + 2'(hold[U].held));
      assert (!hold[U].held || (kept[U] == youngest[U] && story_cycle[U] == cycle[U][1] &&
                                story_repeats[U] == repeats[U][1] &&
                                story_stalled[U] == stalled[U][1] && story_announce[U] == announces[U]));
      assert (!hold[U].held || (open[U] == nameless[U] && done[U] == (!nameless[U] && !unfinished[U])));
      assert (!done[U] || ready[U]);
      assert (hold[U].held || (!open[U] && !done[U]));
      assert (hold[U].held || count[U] == 2'd0 || (!nameless[U] && !unfinished[U]));
      assert (!hold[U].held || !nameless[U] || youngest[U].state == STATE_DRAINED);
      assert (!hold[U].held || !unfinished[U] || (U == 1 &&
                                                  (youngest[U].state == STATE_DRAINED ||
                                                   youngest[U].state == STATE_STALLED)));
      assert (!hold[U].held || U == 0 || !nameless[U] || unfinished[U]);
      assert (u_tip.hold_q != 2'd3);
      assert (now[U] == gen_unit[U].u_story.cycle_q);
      for (int k = 1; k < 8; k++) assert (carry[U][k] == ((now[U] << (64 - 8 * k)) == ~64'd0 << (64 - 8 * k)));
      assert (last[U] == (now[U][7:0] == 8'hfe));
      for (int k = 1; k < 7; k++) assert (now[U][7:0] == '0 || full[U][k] == &now[U][8*k+:8]);
`endif
`ifdef PROVE_COUNT
      assume (!now[U][63]);  // 2^63 cycles since reset: a century and more
      // Lost only where there is no room: software has not acknowledged a sample, and the next one is complete.
      // (Or a count of further ones is full.)
      assert (!lost[U] || (ready[U] && !acknowledge_i && hold[U].held && hold[U].complete) ||
              (hold[U].further && (hold[U].stalled ? story_stalled[U] : story_repeats[U]) == '1));
      // Whoever is interrupted finds a sample.
      assert (!interrupt[U] || ready[U]);
      // Samples reach software in the order of their triggers.
      assert (!has_read_q[U] || !ready[U] || last_q[U] < read[U].cycle);
      // No trigger is unaccounted for.
      assert (triggers_q[U] == read_q[U] + lost_q[U] +
              weight(ready[U], read[U].repeats[CountBits-1:0], read[U].stalled[CountBits-1:0]) +
              weight(hold[U].held, story_repeats[U], story_stalled[U]));
      // What induction needs.
      for (int k = 1; k < 8; k++) assert (carry[U][k] == ((now[U] << (64 - 8 * k)) == ~64'd0 << (64 - 8 * k)));
      assert (last[U] == (now[U][7:0] == 8'hfe));
      for (int k = 1; k < 7; k++) assert (now[U][7:0] == '0 || full[U][k] == &now[U][8*k+:8]);
      assert (u_tip.hold_q != 2'd3);
      assert (!done[U] || ready[U]);
      assert (!ready[U] || (read[U].repeats[31:CountBits] == '0 && read[U].stalled[31:CountBits] == '0));
      assert (!ready[U] || read[U].cycle < now[U]);
      assert (!hold[U].held || (story_cycle[U] < now[U] && (!ready[U] || read[U].cycle < story_cycle[U])));
      assert (!has_read_q[U] || (last_q[U] < now[U] && (!hold[U].held || last_q[U] < story_cycle[U])));
`endif
`ifdef COVER
      for (int s = 0; s < 4; s++) begin
        for (int u = 0; u < 2; u++) cover (ready[u] && read[u].sample.state == state_e'(s));
        for (int t = 0; t < 4; t++) begin
          // An empty ROB stays of one kind until something has been in it.
          if (!(s == 2 && t == 3) && !(s == 3 && t == 2))
            cover (had_q && before_q == state_e'(s) && select.state == state_e'(t));
        end
      end
      for (int u = 0; u < 2; u++) begin
        cover (lost[u] && hold[u].lost && interrupt[u]);                   // no room
        cover (lost[u] && hold[u].further);                                // a count is full
        cover (ready[u] && done[u]);                                       // both registers full
        // one is read, one waits and is further triggered
        cover (ready[u] && open[u] && hold[u].further);
        cover (hold[u].taken && hold[u].held && hold[u].complete && acknowledge_i && ready[u]);  // three in a row
        cover (pulse[u] && read[u].repeats == 32'd2);
        cover (pulse[u] && !interrupt[u]);                                 // a sample that is not announced
        cover (has_read_q[u] && ready[u]);
      end
      cover (hold[0].ends && hold[0].further && bundle_i.dispatch_valid[0]);
      // the cycle of the commit has a trigger of its own
      cover (hold[1].ends && hold[1].taken && bundle_i.commit != '0);
      cover (hold[1].ends && hold[1].further && bundle_i.exception);       // that of the exception is one more
      // the head was dropped, and a trigger with it
      cover (hold[1].ends && hold[1].taken && bundle_i.rob_empty);
      cover (hold[1].ends && hold[1].lost && bundle_i.commit != '0);
      cover (hold[1].further && hold[1].stalled);
      cover (pulse[1] && read[1].stalled != '0 && read[1].repeats != '0);
      cover (pulse[1] && read[1].sample.state == STATE_DRAINED && read[1].sample.psv[0] != '0);
      cover (oir.valid && oir.exception && bundle_i.rob_empty);
      cover (bundle_i.commit == '1 && bundle_i.first != '1);
`endif
    end
  end
endmodule
