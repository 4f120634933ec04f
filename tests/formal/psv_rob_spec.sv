// What the ROB must show of ONE instruction, by age: the solver chooses which (watch_i: the one that dispatches in
// lane watch_lane_i from now on), so what holds for it holds for every instruction.
//
// It knows nothing of rows, banks or the tail. An instruction has a place: how many older ones are in the ROB. The
// vector begins with the bits of dispatch and takes what is sent under its name while it is in flight, whether it has
// completed or not, and shows it one cycle later; nothing else.
module psv_rob_spec
  import config_pkg::*;
  import events_pkg::*;
  import core_pkg::*;
  import port_pkg::*;
  import dispatch_pkg::*;
(
  input  logic           clk_i,
  input  logic           rst_ni,
  input  rob_idx_t       head_i,                 // name of the oldest: place 0
  // dispatch
  input  int unsigned    fire_count_i,
  input  logic           watch_i,
  input  int unsigned    watch_lane_i,
  input  rob_idx_t       watch_name_i,           // what the ROB calls it
  input  psv_t           watch_psv_i,
  input  word_t          watch_pc_i,
  // execution, by name
  input  logic [Dones-1:0] done_i,
  input  rob_idx_t       done_rob_i [Dones],
  input  logic [BranchPorts-1:0] mispredict_i,
  input  mem_event_t     event_i [MemEvents],
  // who leaves
  input  logic           kill_i,                 // everything younger than kill_rob_i dies
  input  rob_idx_t       kill_rob_i,
  input  int unsigned    commit_count_i,
  input  logic           clear_i,
  output logic           fair_o,                 // execution speaks of instructions that are in the ROB
  output logic           kill_live_o,            // kill_rob_i is in the ROB
  output int unsigned    count_o,                // instructions in the ROB
  output logic           there_o,                // the watched one is in the ROB
  output int unsigned    place_o,
  output rob_idx_t       name_o,
  output psv_t           psv_o,
  output word_t          pc_o,
  output logic           done_o,
  output logic           mispredict_o
);
  localparam int unsigned PlaceBits = $clog2(RobEntries + CoreWidth + 1);
  typedef logic [PlaceBits-1:0] place_t;

  // The entries are numbered round and round; a name's wrap bit differs from the head's beyond the last number.
  function automatic int unsigned place_of(input rob_idx_t name);
    place_of = 32'(name.idx) + (name.wrap != head_i.wrap ? RobEntries : 0) - 32'(head_i.idx);
  endfunction
  place_t count_q = '0;
  function automatic logic live(input rob_idx_t name);
    live = 32'(name.idx) < RobEntries && place_of(name) < 32'(count_q);  // a place before the head is a huge number
  endfunction

  function automatic logic dying(input rob_idx_t name);
    dying = kill_i && place_of(name) > place_of(kill_rob_i);
  endfunction

  logic there_q = 1'b0;
  place_t place_q;
  rob_idx_t name_q;
  psv_t psv_q;
  word_t pc_q;
  logic done_q, mispredict_q;

  always_comb begin
    fair_o = 1'b1;
    for (int d = 0; d < Dones; d++) if (done_i[d] && !live(done_rob_i[d])) fair_o = 1'b0;
    for (int d = 0; d < BranchPorts; d++) if (mispredict_i[d] && (!live(done_rob_i[d]) || dying(done_rob_i[d])))
      fair_o = 1'b0;
    for (int p = 0; p < MemEvents; p++) begin
      if (event_i[p].valid && !live(event_i[p].rob)) fair_o = 1'b0;
      // An instruction is in one place of the load/store unit: no two ports speak of the same one.
      for (int q = 0; q < p; q++)
        if (event_i[p].valid && event_i[q].valid && event_i[p].rob == event_i[q].rob) fair_o = 1'b0;
    end
  end

  int unsigned count;  // those that are left of the old ones and those that come
  always_comb begin
    count = kill_i ? place_of(kill_rob_i) + 1 : 32'(count_q) + fire_count_i;
    count = clear_i ? 0 : count - commit_count_i;
  end

  always_ff @(posedge clk_i)
    if (!rst_ni) begin
      count_q <= '0;
      there_q <= 1'b0;
    end else begin
      count_q <= place_t'(count);
      if (there_q) begin
        for (int p = 0; p < MemEvents; p++)
          for (int e = 0; e < PsvBits; e++)
            if (event_i[p].valid && event_i[p].rob == name_q && event_i[p].psv[e]) psv_q[e] <= 1'b1;
        for (int d = 0; d < Dones; d++) if (done_i[d] && done_rob_i[d] == name_q) done_q <= 1'b1;
        for (int d = 0; d < BranchPorts; d++) if (mispredict_i[d] && done_rob_i[d] == name_q) mispredict_q <= 1'b1;
        place_q <= place_q - place_t'(commit_count_i);
        if (32'(place_q) < commit_count_i || clear_i || dying(name_q)) there_q <= 1'b0;
      end else if (watch_i) begin
        there_q <= !clear_i;
        place_q <= count_q + place_t'(watch_lane_i) - place_t'(commit_count_i);
        name_q <= watch_name_i;
        psv_q <= watch_psv_i;
        pc_q <= watch_pc_i;
        done_q <= 1'b0;
        mispredict_q <= 1'b0;
      end
    end

  assign kill_live_o = live(kill_rob_i);
  assign count_o = 32'(count_q);
  assign there_o = there_q;
  assign place_o = 32'(place_q);
  assign name_o = name_q;
  assign psv_o = psv_q;
  assign pc_o = pc_q;
  assign done_o = done_q;
  assign mispredict_o = mispredict_q;
endmodule
