// The vectors in the ROB beside their specification (psv_rob_spec), for every sequence of dispatches, completions,
// events, squashes, exceptions and interrupts; commit_ctrl and squash_unit are the core's own.
//
// Execution may send what it likes whenever it likes, about instructions that are in the ROB; dispatch gives any bits
// to any number of instructions for which there is room, but none in the cycle of a squash. The first cycle is reset.
module psv_rob_proof
  import config_pkg::*;
  import events_pkg::*;
  import core_pkg::*;
  import port_pkg::*;
  import rename_pkg::*;
  import rob_pkg::*;
  import commit_pkg::*;
(
  input logic clk_i,
  // the instruction looked at
  input logic watch_i,
  input logic [LaneBits-1:0] watch_lane_i,
  // dispatch
  input count_t fire_count_i,
  input logic [CoreWidth-1:0][7:0] pc_i,  // its low bits; the rest is 0: a program counter is here to distinguish them
  input rob_info_t [CoreWidth-1:0] info_i,
  input psv_t [CoreWidth-1:0] psv_i,
  // execution
  input logic [Dones-1:0] done_i,
  input rob_idx_t [Dones-1:0] done_rob_i,
  input logic [BranchPorts-1:0] mispredict_i,
  input mem_event_t [MemEvents-1:0] event_i,
  // what commit_ctrl gets
  input exception_t exception_i,
  input logic hold_i,
  input fault_check_t check_i,
  input logic irq_i,
  input logic serial_locked_i,
  input rob_ref_t nonspec_i
);
  logic rst_n_q = 1'b0;
  always_ff @(posedge clk_i) rst_n_q <= 1'b1;

  word_t pc [CoreWidth];
  logic [31:0] insn [CoreWidth];
  rob_entry_t entry [CoreWidth];
  rob_room_t room;
  window_t window [CoreWidth];
  retire_t retire [CoreWidth];
  raise_t raised;
  commit_t com;
  psv_t win_psv [CoreWidth], raise_psv;
  mem_event_t events [MemEvents];
  rob_idx_t dis_rob [CoreWidth], done_rob [Dones], head;
  resolve_t resolve [BranchPorts];
  logic [CoreWidth-1:0] fire, win_valid, win_done, win_mispredict, commit;
  logic [LaneBits-1:0] oldest;
  count_t commit_count;
  logic page_fault, again;  // of the oldest; it begins again and raises nothing of its own (ad_update)
  logic flush, raise, interrupt, replay;
  squash_t squash;

  always_comb begin
    for (int i = 0; i < CoreWidth; i++) begin
      fire[i] = 32'(fire_count_i) > i;
      pc[i] = 64'(pc_i[i]);
      insn[i] = '0;
      entry[i] = '{info: info_i[i], psv: psv_i[i]};
      dis_rob[i] = room.place[i];
    end
    for (int d = 0; d < Dones; d++) done_rob[d] = done_rob_i[d];
    for (int p = 0; p < MemEvents; p++) events[p] = event_i[p];
    for (int p = 0; p < BranchPorts; p++) begin
      resolve[p] = '0;
      resolve[p].rob = done_rob_i[p];
      resolve[p].mispredict = mispredict_i[p];
    end
  end

  rob u_rob (
    .clk_i, .rst_ni(rst_n_q), .squash_i(squash), .room_o(room), .fire_i(fire), .fire_count_i,
    .pc_i(pc), .insn_i(insn), .entry_i(entry), .done_i, .done_rob_i(done_rob), .mispredict_i,
    .event_i(events), .keep_i(1'b1), .head_o(head), .oldest_o(oldest),
    .window_o(window), .commit_count_i(commit_count),
    .clear_i(raise || flush)
  );
  commit_ctrl u_commit_ctrl (
    .clk_i, .rst_ni(rst_n_q), .head_i(head), .empty_i(room.empty), .oldest_i(oldest), .window_i(window), .exception_i,
    .hold_i, .squash_i(squash), .irq_i('{valid: irq_i, cause: '0, locked: serial_locked_i}), .page_fault_o(), .check_i,
    .nonspec_i, .commit_o(commit), .retire_o(retire), .com_o(com), .next_pc_o(), .raise_o(raised),
    .raise_psv_o(raise_psv)
  );
  assign commit_count = com.count;
  assign flush = com.flush;
  assign raise = raised.valid;
  assign interrupt = raised.irq;
  assign replay = raised.replay;
  always_comb
    for (int b = 0; b < CoreWidth; b++) begin
      win_valid[b] = window[b].valid;
      win_done[b] = window[b].done;
      win_mispredict[b] = window[b].mispredict;
      win_psv[b] = window[b].psv;
    end
  squash_unit u_squash_unit (
    .clk_i, .rst_ni(rst_n_q), .all_i(raise || flush), .all_rob_i(head), .all_pc_i('0), .all_ftq_i('0),
    .all_offset_i('0), .all_invalidate_i(1'b0), .resolve_i(resolve), .read_id_o(), .read_lq_i('0), .read_sq_i('0),
    .squash_o(squash), .redirect_o()
  );

  localparam psv_t Bit [PsvBits] = '{9'd1, 9'd2, 9'd4, 9'd8, 9'd16, 9'd32, 9'd64, 9'd128, 9'd256};
  logic [CoreWidth-1:0] seen_mispredict;
  logic [CoreWidth-1:0][PsvBits-1:0] seen_psv;
  window_psv u_window_psv (
    .valid_i(win_valid), .done_i(win_done), .mispredict_i(win_mispredict), .psv_i(win_psv), .raise_i(raise),
    .oldest_i(oldest), .raise_psv_i(raise_psv), .mispredict_o(seen_mispredict), .psv_o(seen_psv)
  );

  logic kill, fair, kill_live, there, spec_done, spec_mispredict;
  int unsigned count, place;
  rob_idx_t name;
  psv_t spec_psv;
  word_t spec_pc;
  assign kill = squash.valid && !squash.all;
  psv_rob_spec u_spec (
    .clk_i, .rst_ni(rst_n_q), .head_i(head), .fire_count_i(32'(fire_count_i)),
    .watch_i(watch_i && 32'(watch_lane_i) < 32'(fire_count_i)), .watch_lane_i(32'(watch_lane_i)),
    .watch_name_i(dis_rob[watch_lane_i]), .watch_psv_i(psv_i[watch_lane_i]), .watch_pc_i(pc[watch_lane_i]), .done_i,
    .done_rob_i(done_rob), .mispredict_i, .event_i(events), .kill_i(kill),
    .kill_rob_i(squash.rob), .commit_count_i(32'(commit_count)), .clear_i(raise || flush), .fair_o(fair),
    .kill_live_o(kill_live), .count_o(count), .there_o(there), .place_o(place), .name_o(name), .psv_o(spec_psv),
    .pc_o(spec_pc), .done_o(spec_done), .mispredict_o(spec_mispredict)
  );

  // For the covers: the watched one came into the entry of an instruction with bits that a squash had killed; it came
  // without bits.
  logic stained_q, met_q;
  logic killed_q = 1'b0;
  always_ff @(posedge clk_i) begin
    killed_q <= kill && count > u_spec.place_of(squash.rob) + 1;
    if (!there) met_q <= psv_i[watch_lane_i] == '0;
    if (!there) stained_q <= killed_q && u_rob.psv_q[dis_rob[watch_lane_i].idx] == '1;
  end

  // Where the window shows it.
  logic [LaneBits-1:0] bank;
  assign bank = LaneBits'((32'(oldest) + place) % CoreWidth);

  assign page_fault = !exception_i.replay && exception_i.cause inside {CauseInsnPage, CauseLoadPage, CauseStorePage};
  assign again = page_fault && check_i.again;

  always_comb begin
    assume (32'(fire_count_i) <= 32'(room.free) && (!squash.valid || fire_count_i == '0));
    if (rst_n_q) begin
      assume (fair);
`ifdef PROVE_ROB
      // The vector at commit, and whose it is; what the window does not show is not looked at.
      if (there && place < CoreWidth) begin
        assert (win_valid[bank] && window[bank].pc == spec_pc && win_done[bank] == spec_done);
        assert (seen_mispredict[bank] == (spec_done && spec_mispredict));
        if (place != 0 || !raise)
          assert (seen_psv[bank] == (spec_psv | (spec_done && spec_mispredict ? Bit[EvFlMb] : '0)));
      end
      if (there && place == 0 && raise) begin
        assert (seen_psv[bank] == (spec_psv | (!replay ? Bit[EvFlEx] : again ? '0 : Bit[EvFlMo])) &&
                raise_psv == seen_psv[bank]);
        assert (replay == (!interrupt && (exception_i.replay || again)) && commit == '0);
        assert (interrupt || (exception_i.valid && exception_i.rob == name));
      end
      if (there && place < CoreWidth && commit[bank]) assert (spec_done && !raise);
      assert (32'(commit_count) == 32'($countones(commit)));
      // How the ring goes with age: what induction needs. A row of a bank is a number of the ring.
      assert (32'(head.idx) < RobEntries && 32'(u_rob.tail_q.idx) < RobEntries);
      assert (u_rob.used == count && count <= RobEntries);
      assert (!there || (place < count && name == rob_add(head, place)));
      assert (!there || u_rob.psv_q[name.idx] == spec_psv);
      assert (!kill || kill_live);
      assert (!squash.valid || kill || count == 0);
`endif
`ifdef COVER
      cover (there && commit[bank] && place == CoreWidth - 1 && seen_psv[bank] == '1);
      cover (there && raise && place == 0 && replay && raise_psv == (Bit[EvFlMo] | Bit[EvStL1] | Bit[EvStLlc]));
      cover (there && raise && place == 0 && interrupt && raise_psv == (Bit[EvFlEx] | Bit[EvDrL1]));
      cover (there && raise && place == 0 && interrupt && !spec_done &&
             raise_psv == (Bit[EvFlEx] | Bit[EvStL1] | Bit[EvStTlb]) &&
             met_q);  // on an instruction that waits: what it has met since it was dispatched
      // it dies, round the ring
      cover (there && kill && place > 0 && 32'(squash.rob.idx) > 32'(name.idx) && spec_psv != '0);
      cover (there && count == RobEntries && place == RobEntries - 1);
      cover (there && stained_q && place == 0 && commit[bank] && seen_psv[bank] == '0);
`endif
    end
  end
  // A branch is resolved once: who is done already is not mispredicted later. (win_done is the specification's: see
  // above.)
  logic [CoreWidth-1:0][RobEntries/CoreWidth-1:0] done_q;
  for (genvar b = 0; b < CoreWidth; b++) begin : gen_done
    assign done_q[b] = u_rob.done_q[b];
  end
  always_comb
    if (rst_n_q)
      for (int p = 0; p < BranchPorts; p++)
        assume (!mispredict_i[p] ||
                (done_i[p] && !done_q[32'(done_rob_i[p].idx) % CoreWidth][32'(done_rob_i[p].idx) / CoreWidth]));
  // Flags and program counters lie by row in their bank; the flag of the branch that squashes holds commit after it.
`ifdef PROVE_ROB
  for (genvar b = 0; b < CoreWidth; b++) begin : gen_bank
    always_comb
      if (rst_n_q) begin
        if (there && 32'(name.idx) % CoreWidth == b) begin
          assert (u_rob.gen_bank[b].u_rob_bank.pc_q[32'(name.idx) / CoreWidth] == spec_pc);
          assert (u_rob.done_q[b][32'(name.idx) / CoreWidth] == spec_done);
          assert (u_rob.mispredict_q[b][32'(name.idx) / CoreWidth] == spec_mispredict);
        end
        if (kill && 32'(squash.rob.idx) % CoreWidth == b)
          assert (u_rob.mispredict_q[b][32'(squash.rob.idx) / CoreWidth]);
      end
  end
`endif
endmodule
