// Two ROBs side by side, for every sequence of dispatches, events, squashes, commits and raised instructions: one keeps
// vectors always, the other while vector_gate does, which opens and shuts when it likes. An instruction that
// vector_gate does not call stale shows the same vector in both, from its dispatch until it leaves; one that it calls
// stale shows nothing that it has not met. The same of the last that has left.
//
// Who commits when is left open: any number of the oldest. A stale load's events may be missed in the gated core, as
// its load queue may have forgotten what it has met (lost_i); of others the same events are emitted. The first cycle is
// reset.
module psv_gate_proof
  import config_pkg::*;
  import events_pkg::*;
  import core_pkg::*;
  import port_pkg::*;
  import profile_pkg::*;
  import rob_pkg::*;
(
  input logic clk_i,
  input logic reads_i,
  // dispatch
  input count_t fire_count_i,
  input psv_t [CoreWidth-1:0] psv_i,
  // execution
  input mem_event_t [MemEvents-1:0] event_i,
  input psv_t [MemEvents-1:0] lost_i,
  // what leaves and what dies
  input count_t leave_i,
  input logic raise_i,
  input logic clear_i,
  input squash_t squash_i
);
  logic rst_n_q = 1'b0;
  always_ff @(posedge clk_i) rst_n_q <= 1'b1;

  word_t pc [CoreWidth];
  logic [31:0] insn [CoreWidth];
  rob_entry_t entry [CoreWidth];
  rob_idx_t done_rob [Dones];
  mem_event_t events [MemEvents], fewer [MemEvents];
  logic [CoreWidth-1:0] fire;
  rob_room_t room, gated_room;
  rob_idx_t head, gated_head;
  logic [LaneBits-1:0] oldest, gated_oldest;
  window_t window [CoreWidth], gated_window [CoreWidth];
  stale_t stale;
  logic keep;
  typedef logic [RobIdxBits:0] place_t;
  place_t used, stales;
  assign stales = place_t'(u_gate.gen_gate.stale_q);

  // How old who is called so is: 0 the oldest. Of one that is not in flight a number of at least `used`.
  function automatic place_t place_of(input rob_idx_t name);
    place_of = place_t'(name.idx) + (name.wrap != head.wrap ? place_t'(RobEntries) : '0) - place_t'(head.idx);
  endfunction
  // Whether the instruction at a place may lack events, as vector_gate has it.
  function automatic logic stale_at(input place_t place);
    stale_at = !keep || place < stales;
  endfunction

  always_comb begin
    for (int i = 0; i < CoreWidth; i++) begin
      fire[i] = 32'(fire_count_i) > i;
      pc[i] = '0;
      insn[i] = '0;
      entry[i] = '{info: '0, psv: psv_i[i]};
    end
    for (int d = 0; d < Dones; d++) done_rob[d] = '0;
    for (int p = 0; p < MemEvents; p++) begin
      events[p] = event_i[p];
      fewer[p] = event_i[p];
      if (stale_at(place_of(event_i[p].rob))) fewer[p].psv &= ~lost_i[p];
    end
  end

  rob u_always (
    .clk_i, .rst_ni(rst_n_q), .squash_i, .room_o(room), .fire_i(fire), .fire_count_i, .pc_i(pc), .insn_i(insn),
    .entry_i(entry), .done_i('0), .done_rob_i(done_rob), .mispredict_i('0),
    .event_i(events), .keep_i(1'b1), .head_o(head), .oldest_o(oldest), .window_o(window), .commit_count_i(leave_i),
    .clear_i
  );
  rob u_gated (
    .clk_i, .rst_ni(rst_n_q), .squash_i, .room_o(gated_room), .fire_i(fire), .fire_count_i, .pc_i(pc), .insn_i(insn),
    .entry_i(entry), .done_i('0), .done_rob_i(done_rob), .mispredict_i('0),
    .event_i(fewer), .keep_i(keep), .head_o(gated_head), .oldest_o(gated_oldest), .window_o(gated_window),
    .commit_count_i(leave_i), .clear_i
  );
  vector_gate u_gate (
    .clk_i, .rst_ni(rst_n_q), .reads_i, .head_i(gated_head), .tail_i(gated_room.place[0]), .enter_i(fire_count_i),
    .leave_i, .raise_i, .clear_i, .squash_i, .keep_o(keep), .stale_o(stale)
  );
  assign used = place_t'(u_always.used);

  // The last that has left, in both.
  psv_t last_q, gated_last_q;
  logic [LaneBits-1:0] youngest;
  assign youngest = LaneBits'((32'(oldest) + 32'(leave_i) - 1) % CoreWidth);
  always_ff @(posedge clk_i)
    if (!rst_n_q) begin
      last_q <= '0;
      gated_last_q <= '0;
    end else if (raise_i) begin
      last_q <= window[oldest].psv;
      gated_last_q <= gated_window[oldest].psv;
    end else if (leave_i != '0) begin
      last_q <= window[youngest].psv;
      gated_last_q <= gated_window[youngest].psv;
    end

  // For the covers: both kinds have been there at once; stale ones have died by a misprediction since the gate opened.
  logic died_q = 1'b0;
  always_ff @(posedge clk_i)
    died_q <= rst_n_q && keep && (died_q || (squash_i.valid && !squash_i.all &&
                                             place_of(squash_i.rob) + place_t'(1) < used &&
                                             place_of(squash_i.rob) + place_t'(1) < stales));

  always_comb begin
    assume (32'(fire_count_i) <= 32'(room.free) && (!squash_i.valid || fire_count_i == '0));
    assume (32'(leave_i) <= CoreWidth && place_t'(leave_i) <= used);
    assume (!raise_i || (used != 0 && clear_i && leave_i == '0));
    if (squash_i.valid && squash_i.all) assume (used == 0);
    else if (squash_i.valid)
      assume (32'(squash_i.rob.idx) < RobEntries && place_of(squash_i.rob) < used &&
              place_t'(leave_i) <= place_of(squash_i.rob) + place_t'(1));
    for (int p = 0; p < MemEvents; p++)
      assume (32'(event_i[p].rob.idx) < RobEntries && (!event_i[p].valid || place_of(event_i[p].rob) < used));
    if (rst_n_q) begin
`ifdef PROVE_GATE
      // What is seen of the two.
      for (int unsigned b = 0; b < CoreWidth; b++) begin
        assert (window[b].valid == gated_window[b].valid);
        if (window[b].valid) assert ((gated_window[b].psv & ~window[b].psv) == '0);
        if (window[b].valid && !stale_at(place_t'((b + CoreWidth - 32'(oldest)) % CoreWidth)))
          assert (window[b].psv == gated_window[b].psv);
      end
      if (used != 0 && !stale.oldest) assert (window[oldest].psv == gated_window[oldest].psv);
      assert ((gated_last_q & ~last_q) == '0);
      if (!stale.offender) assert (last_q == gated_last_q);
      // What induction needs: the rings are the same, and what is stated of the oldest ones holds of all entries.
      assert (head == gated_head && u_always.tail_q == u_gated.tail_q && oldest == gated_oldest);
      assert (32'(head.idx) < RobEntries && 32'(u_always.tail_q.idx) < RobEntries && 32'(used) <= RobEntries &&
              u_always.used <= RobEntries);
      assert (!keep || stales <= used);
      for (int unsigned i = 0; i < RobEntries; i++) begin
        automatic place_t place = place_t'(i) - place_t'(head.idx) + (i >= 32'(head.idx) ? '0 : place_t'(RobEntries));
        if (place < used) begin
          assert ((u_gated.psv_q[i] & ~u_always.psv_q[i]) == '0);
          if (!stale_at(place)) assert (u_gated.psv_q[i] == u_always.psv_q[i]);
        end
      end
`endif
`ifdef COVER
      cover (keep && 32'(leave_i) == CoreWidth && !stale.oldest && gated_window[oldest].psv == '1);
      cover (keep && stale.oldest && used >= place_t'(4) && 32'(stales) == 2 &&
             window[oldest].psv != gated_window[oldest].psv);
      cover (stale.offender && keep && last_q == '1 && gated_last_q == '0);
      cover (died_q && keep && !stale.oldest && used != 0);
      cover (keep && stales == used && used >= place_t'(4));
`endif
    end
  end
endmodule
