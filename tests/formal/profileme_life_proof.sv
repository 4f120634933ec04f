// The places by which ProfileMe follows instructions beside tags that travel with them, for every sequence of packets,
// dispatches, wakes, issues, completions, retirements, traps, flushes and mispredictions, and for whatever software
// does.
//
// The model is a queue of instructions from fetch to map and a ROB. Each entry carries a tag of its own, as the paper
// has it (ProfileMe, MICRO 1997, section 4.1.2): it is put on the instruction that selection names
// (profileme_select_spec), moves and dies with it. Proved equal: a set of profile registers follows an instruction if
// and only if that instruction has its tag, at the very place and in the stage that the set says; so no two sets follow
// one, and none follows what is no more. The first cycle is reset.
module profileme_life_proof
  import config_pkg::*;
  import core_pkg::*;
  import port_pkg::*;
  import fetch_pkg::*;
  import rob_pkg::*;
  import dispatch_pkg::*;
  import life_pkg::*;
  import profileme_pkg::*;
(
  input logic clk_i,
  input csr_req_t req_i,
  input logic take_i,
  input packet_t packet_i,
  input priv_e priv_i,
  input count_t count_i,
  input life_lane_t [CoreWidth-1:0] lane_i,   // but for its place in the ROB
  input wake_t [Wakes-1:0] wake_i,
  input rob_ref_t [Issues-1:0] issue_i,
  input rob_ref_t [Dones-1:0] done_i,
  input count_t commits_i,
  input logic flush_i,
  input logic raises_i,
  input logic kill_i,                         // a branch was mispredicted
  input rob_idx_t youngest_i
);
  logic rst_n_q = 1'b0;
  always_ff @(posedge clk_i) rst_n_q <= 1'b1;

  // ---- the model ----
  localparam int unsigned Most = FetchBuffer + CoreWidth;
  typedef logic [5:0] number_t;               // wide enough for all that is counted here: differences below 0 are large
  typedef logic [2:0] tag_t;                  // 0: none, else a set's number, and one
  typedef enum logic [1:0] { WAITS, RUNS, COMPLETE } part_e;
  typedef struct packed {
    tag_t tag;
    logic fresh;                              // it came in the cycle before
    slot_t slot;
  } front_t;
  typedef struct packed {
    tag_t tag;
    part_e part;
    logic [2:0] has;                          // operands
    preg_t [2:0] needs;
  } entry_t;
  front_t [Most-1:0] front_q, front;
  entry_t [RobEntries-1:0] rob_q, rob;
  number_t waiting_q, waiting;                // instructions before map
  rob_idx_t head_q, tail_q, head, tail;
  logic all_q, all;                           // everything dies in this cycle

  function automatic number_t place_of(input rob_idx_t name);  // from the head on; large where it lies before it
    place_of = number_t'(name.idx) + (name.wrap != head_q.wrap ? number_t'(RobEntries) : '0) - number_t'(head_q.idx);
  endfunction
  number_t used;
  assign used = place_of(tail_q);
  function automatic logic live(input rob_idx_t name);
    live = number_t'(name.idx) < number_t'(RobEntries) && place_of(name) < used;
  endfunction

  logic squash, kill;
  number_t pushed, held;                      // in this cycle; in the one before, as far as they exist still
  assign kill = kill_i && !all_q;
  assign squash = all_q || kill;
  always_comb begin
    pushed = '0;
    for (int s = 0; s < FetchWidth; s++) if (packet_i.valid && packet_i.slots[s]) pushed = pushed + number_t'(1);
    held = '0;
    for (int s = 0; s < FetchWidth; s++)
      if (u_profileme.u_select.packet_q.valid && u_profileme.u_select.packet_q.slots[s]) held = held + number_t'(1);
  end

  // ---- the unit ----
  life_lane_t lane [CoreWidth];
  wake_t wake [Wakes];
  rob_ref_t issue [Issues], done [Dones];
  mem_event_t events [MemEvents];
  resolve_t resolve [BranchPorts];
  dispatch_t dis;
  leaving_t leaving;
  always_comb begin
    dis = '{fire: '0, count: count_i};
    for (int i = 0; i < CoreWidth; i++) begin
      lane[i] = lane_i[i];
      lane[i].rob = rob_add(tail_q, i);
    end
    for (int w = 0; w < Wakes; w++) wake[w] = wake_i[w];
    for (int p = 0; p < Issues; p++) issue[p] = issue_i[p];
    for (int d = 0; d < Dones; d++) done[d] = done_i[d];
    for (int p = 0; p < MemEvents; p++) events[p] = '0;
    for (int p = 0; p < BranchPorts; p++) resolve[p] = '0;
    leaving = '0;
    leaving.head = head_q;
    leaving.head_valid = used != '0 && !all_q;
    leaving.commits = commits_i;
    leaving.flush = flush_i;
    leaving.raises = raises_i;
    leaving.squash = squash;
    leaving.all = all_q;
    leaving.youngest = youngest_i;
  end
  profileme u_profileme (
    .clk_i, .rst_ni(rst_n_q), .req_i, .rdata_o(), .hidden_i(1'b0), .lcofi_o(), .take_i, .ready_o(), .sample_o(),
    .packet_i, .priv_i, .space_i('0), .dis_i(dis), .lane_i(lane), .conflict_i('0), .wake_i(wake), .issue_i(issue),
    .addressed_i('0), .event_i(events), .resolve_i(resolve), .done_i(done), .leaving_i(leaving)
  );
  logic [Tags-1:0][2:0] state;                // as in profileme_tag
  logic [Tags-1:0] given, opportunity, fronts, mapped;
  ahead_t [Tags-1:0] ahead;
  rob_idx_t [Tags-1:0] name;
  logic [Tags-1:0][2:0] ready;
  preg_t [Tags-1:0][2:0] needs;
  for (genvar t = 0; t < Tags; t++) begin : gen_set
    assign state[t] = u_profileme.gen_tag[t].u_tag.state_q;
    assign given[t] = u_profileme.gen_tag[t].own.valid;
    assign opportunity[t] = u_profileme.gen_tag[t].own.opportunity != '0;
    assign ahead[t] = u_profileme.gen_tag[t].u_tag.at_q.ahead;
    assign name[t] = u_profileme.gen_tag[t].u_tag.rob_q;
    assign ready[t] = u_profileme.gen_tag[t].u_tag.ready_q;
    for (genvar s = 0; s < 3; s++) begin : gen_operand
      assign needs[t][s] = u_profileme.gen_tag[t].u_tag.ps_q[s];
    end
    assign fronts[t] = state[t] == 3'd1;
    assign mapped[t] = state[t] >= 3'd2 && state[t] <= 3'd5;
  end
  logic off;
  assign off = u_profileme.settings.mode == '0;

  // ---- whom selection names ----
  logic first, second, lost;
  slot_t first_slot, second_slot;
  logic [31:0] next;  // the interval that is drawn
  logic [10:0] minor;
  assign minor = 11'(u_profileme.u_select.minor) + 11'd1;
  assign next = u_profileme.u_select.short ? 32'd16 : u_profileme.u_select.drawn;
  pick_t first_pick, second_pick;
  profileme_select_spec u_spec (
    .clk_i, .rst_ni(rst_n_q), .settings_i(u_profileme.settings), .write_i(u_profileme.write_counter),
    .wdata_i(req_i.wdata), .packet_i, .priv_i, .space_i('0), .cycle_i(u_profileme.cycles),
    .before_i(32'(waiting_q - number_t'(count_i))), .room_i(u_profileme.room), .next_i(next), .minor_i(minor),
    .first_o(first), .first_slot_o(first_slot), .second_o(second), .second_slot_o(second_slot), .lost_o(lost),
    .first_pick_o(first_pick), .second_pick_o(second_pick), .again_o()
  );
  // The sets that take them, as the unit says: whichever, but the tag must then be theirs.
  tag_t first_tag, second_tag;
  always_comb begin
    first_tag = '0;
    second_tag = '0;
    for (int t = 0; t < Tags; t++)
      if (given[t] && !opportunity[t]) begin
        if (second && 2'(t) == ((first ? u_profileme.chosen : u_profileme.waiting_q) | 2'd1))
          second_tag = tag_t'(t + 1);
        else if (first) first_tag = tag_t'(t + 1);
      end
  end

  // ---- the model's cycle ----
  always_comb begin
    // Tags are put on.
    front = front_q;
    for (int i = 0; i < Most; i++)
      if (front_q[i].fresh && number_t'(i) < waiting_q) begin
        if (first && !first_pick.opportunity[0] && !first_pick.opportunity[1] && front_q[i].slot == first_slot)
          front[i].tag = first_tag;
        if (second && second_pick.opportunity == '0 && front_q[i].slot == second_slot) front[i].tag = second_tag;
      end
    for (int i = 0; i < Most; i++) front[i].fresh = 1'b0;
    rob = rob_q;
    head = rob_add(head_q, 32'(commits_i));
    tail = rob_add(tail_q, 32'(count_i));
    all = raises_i || flush_i;
    // Execution.
    for (int e = 0; e < RobEntries; e++) begin
      if (rob_q[e].part == WAITS)
        for (int s = 0; s < 3; s++) for (int w = 0; w < Wakes; w++)
          if (wake_i[w].valid && wake_i[w].tag == rob_q[e].needs[s]) rob[e].has[s] = 1'b1;
      for (int p = 0; p < Issues; p++) if (issue_i[p].valid && 32'(issue_i[p].rob.idx) == e && rob_q[e].part == WAITS)
        rob[e].part = RUNS;
      for (int d = 0; d < Dones; d++) if (done_i[d].valid && 32'(done_i[d].rob.idx) == e) rob[e].part = COMPLETE;
    end
    if (raises_i) rob[head_q.idx].tag = '0;  // it has left
    // Map.
    for (int i = 0; i < CoreWidth; i++)
      if (i < 32'(count_i)) begin
        rob[lane[i].rob.idx] = '{tag: front[i].tag, part: lane_i[i].queued ? WAITS : RUNS,
                                 has: {lane_i[i].ready3, lane_i[i].ready2, lane_i[i].ready1},
                                 needs: {lane_i[i].ps3, lane_i[i].ps2, lane_i[i].ps1}};
      end
    for (int k = 0; k < CoreWidth; k++)
      if (k < 32'(count_i)) begin
        for (int i = 0; i + 1 < Most; i++) front[i] = front[i+1];
        front[Most-1] = '0;
      end
    waiting = waiting_q - number_t'(count_i);
    // Fetch.
    for (int s = 0; s < FetchWidth; s++)
      if (packet_i.valid && packet_i.slots[s]) begin
        for (int i = 0; i < Most; i++) if (waiting == number_t'(i))
          front[i] = '{tag: '0, fresh: 1'b1, slot: slot_t'(s)};
        waiting = waiting + number_t'(1);
      end
    // Death.
    if (squash) waiting = '0;
    if (kill) tail = rob_add(youngest_i, 1);
    if (all_q) tail = head_q;
    // Software has switched it off: nobody is followed.
    if (off) begin
      for (int i = 0; i < Most; i++) front[i].tag = '0;
      for (int e = 0; e < RobEntries; e++) rob[e].tag = '0;
    end
  end
  always_ff @(posedge clk_i)
    if (!rst_n_q) begin
      waiting_q <= '0;
      head_q <= '0;
      tail_q <= '0;
      all_q <= 1'b0;
    end else begin
      front_q <= front;
      rob_q <= rob;
      waiting_q <= waiting;
      head_q <= head;
      tail_q <= tail;
      all_q <= all;
    end

  // ---- what the core keeps to ----
  always_comb begin
    assume (priv_i == PRIV_U || priv_i == PRIV_S || priv_i == PRIV_M);
    // Fetch: as much as there is room for, and nothing in the cycle of a redirect.
    assume (waiting_q + pushed <= number_t'(Most) && (!squash || !packet_i.valid));
    // Map: of those that came two cycles ago at least, into a ROB that has room, and not while something dies.
    assume (32'(count_i) <= CoreWidth && used + number_t'(count_i) <= number_t'(RobEntries) &&
            (!squash || count_i == '0));
    for (int i = 0; i < CoreWidth; i++) if (i < 32'(count_i)) assume (number_t'(i) < waiting_q && !front_q[i].fresh);
    // Execution: of instructions in flight, in order of their parts. A store in two parts may issue twice.
    for (int p = 0; p < Issues; p++)
      if (issue_i[p].valid)
        assume (live(issue_i[p].rob) && (rob_q[issue_i[p].rob.idx].part != WAITS ||
                                         rob_q[issue_i[p].rob.idx].has == '1));
    for (int d = 0; d < Dones; d++) if (done_i[d].valid)
      assume (live(done_i[d].rob) && rob_q[done_i[d].rob.idx].part == RUNS);
    // Retirement: the oldest, which are complete; none after a branch that is killing. Then everything dies a cycle
    // after a trap or a flush.
    assume (32'(commits_i) <= CoreWidth && number_t'(commits_i) <= used && (!all_q || (commits_i == '0 && !raises_i)));
    for (int i = 0; i < CoreWidth; i++) if (i < 32'(commits_i))
      assume (rob_q[rob_idx_t'(rob_add(head_q, i)).idx].part == COMPLETE);
    assume (!kill || (live(youngest_i) && number_t'(commits_i) <= place_of(youngest_i) + number_t'(1)));
    assume (!raises_i || (used != '0 && commits_i == '0 && !flush_i));
    assume (!flush_i || commits_i != '0);
    if (rst_n_q) begin
      // Shown of profileme_select by itself (profileme_select_proof).
      assume (u_profileme.pick[0].valid == first && u_profileme.pick[1].valid == second);
      assume (!first || (u_profileme.pick[0].opportunity == first_pick.opportunity &&
                         u_profileme.pick[0].ahead == first_pick.ahead));
      assume (!second || (u_profileme.pick[1].opportunity == second_pick.opportunity &&
                          u_profileme.pick[1].ahead == second_pick.ahead));
      assume (u_profileme.collision == lost);
      assume (u_profileme.u_select.waits_q == u_spec.waits_q &&
              (u_profileme.u_select.on_q && u_profileme.u_select.packet_q.valid) == u_spec.valid_q);
      assume (!u_spec.valid_q || u_profileme.u_select.packet_q.slots == u_spec.packet_q.slots);
    end
  end

  // ---- what is proved ----
  number_t behind;
  logic [Tags-1:0] had_q;  // it followed an instruction, and was not switched off
  always_ff @(posedge clk_i) had_q <= (fronts | mapped) & {Tags{rst_n_q && !off}};
`ifdef PROVE_LIFE
  always_comb begin
    behind = '0;
    if (rst_n_q) begin
      // The tag and the place are the same.
      for (int t = 0; t < Tags; t++) begin
        for (int i = 0; i < Most; i++) if (number_t'(i) < waiting_q)
          assert ((front_q[i].tag == tag_t'(t + 1)) == (fronts[t] && number_t'(ahead[t]) == number_t'(i)));
        for (int e = 0; e < RobEntries; e++)
          if (live('{wrap: head_q.wrap, idx: (RobIdxBits - 1)'(e)}) ||
              live('{wrap: !head_q.wrap, idx: (RobIdxBits - 1)'(e)}))
            assert ((rob_q[e].tag == tag_t'(t + 1)) == (mapped[t] && 32'(name[t].idx) == e));
        if (fronts[t]) assert (number_t'(ahead[t]) < waiting_q);
        if (mapped[t]) begin
          assert (live(name[t]));
          assert ((rob_q[name[t].idx].part == WAITS) == (state[t] == 3'd2 || state[t] == 3'd3));
          assert ((rob_q[name[t].idx].part == RUNS) == (state[t] == 3'd4));
          if (rob_q[name[t].idx].part == WAITS) assert ((rob_q[name[t].idx].has == '1) == (state[t] == 3'd3));
          if (state[t] == 3'd2) assert (rob_q[name[t].idx].has == ready[t] && rob_q[name[t].idx].needs == needs[t]);
        end
        // Whoever leaves, in whatever way, leaves a record, and a set that has one follows nobody.
        if (had_q[t]) assert (fronts[t] || mapped[t] || state[t] == 3'd6);
        assert (state[t] <= 3'd6);
        for (int u = 0; u < Tags; u++)
          if (u != t)
            assert (!(fronts[t] && fronts[u] && ahead[t] == ahead[u]) &&
                    !(mapped[t] && mapped[u] && name[t] == name[u]));
      end
      // What is picked finds a set that is free.
      assert ((given & ~(given - 1'b1)) == given || $countones(given) == 2);
      assert ($countones(given) == 32'(first) + 32'(second));
      for (int t = 0; t < Tags; t++) if (given[t]) assert (state[t] == '0);
      // What induction needs.
      assert (waiting_q <= number_t'(Most) && number_t'(u_profileme.u_select.behind_q) + held == waiting_q);
      for (int k = 0; k < CoreWidth; k++) assert (u_profileme.place_q[k] == rob_idx_t'(rob_add(head_q, k)));
      assert (32'(head_q.idx) < RobEntries && 32'(tail_q.idx) < RobEntries && used <= number_t'(RobEntries));
      for (int i = 0; i < Most; i++) if (number_t'(i) < waiting_q && front_q[i].fresh) assert (front_q[i].tag == '0);
      for (int i = 0; i < Most; i++) if (number_t'(i) < waiting_q) assert (32'(front_q[i].tag) <= Tags);
      if (u_spec.valid_q) begin
        behind = number_t'(u_profileme.u_select.behind_q);
        assert (32'(behind) == u_spec.before_q);
        for (int s = 0; s < FetchWidth; s++)
          if (u_spec.packet_q.slots[s]) begin
            assert (behind < waiting_q);
            for (int i = 0; i < Most; i++) if (behind == number_t'(i))
              assert (front_q[i].fresh && front_q[i].slot == slot_t'(s));
            behind = behind + number_t'(1);
          end
        assert (behind == waiting_q);
        for (int i = 0; i < Most; i++) if (number_t'(i) < waiting_q && front_q[i].fresh)
          assert (number_t'(i) >= number_t'(u_spec.before_q));
      end
      if (u_spec.waits_q) begin
        assert (!u_profileme.waiting_q[0] && 32'(u_profileme.waiting_q) + 1 < Tags);
        for (int t = 0; t < Tags; t++) if (2'(t) == (u_profileme.waiting_q | 2'd1)) assert (state[t] == '0);
      end
    end
  end
`endif
`ifdef COVER
  logic [Tags-1:0] retired, raised, killed;
  always_comb begin
    for (int t = 0; t < Tags; t++) begin
      retired[t] = state[t] == 3'd5 && number_t'(commits_i) > place_of(name[t]);
      raised[t] = mapped[t] && raises_i && name[t] == head_q;
      killed[t] = mapped[t] && kill && place_of(name[t]) > place_of(youngest_i);
    end
    if (rst_n_q) begin
      cover (retired != '0);
      cover (raised != '0 && waiting_q != '0);
      cover (killed != '0 && used > number_t'(2));
      cover (fronts != '0 && all_q);
      cover ((fronts & mapped) == '0 && fronts != '0 && mapped != '0);
      cover ($countones(given) == 2);
    end
  end
`endif
endmodule
