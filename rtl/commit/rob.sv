// Reorder buffer: every instruction from dispatch to commit, in program order.
//
// A ring of RobEntries; entry idx lies in bank idx % CoreWidth, row idx / CoreWidth. Entries are taken densely, so the
// CoreWidth oldest lie one in each bank; window_o shows them by bank. Only what lies between head and tail is
// alive. Latency: what completes in cycle t may commit in t+1.
//
//      bank 0 1 2 3
//      row  . . A B     head: bank 2. Window: bank 2 = A, 3 = B, 0 = C, 1 = D
//           C D E .     tail: bank 3
module rob
  import config_pkg::*;
  import ring_pkg::*;
  import events_pkg::*;
  import core_pkg::*;
  import port_pkg::*;
  import rob_pkg::*;
#(
  localparam int unsigned Rows = RobEntries / CoreWidth
) (
  input  logic clk_i,
  input  logic rst_ni,
  input  squash_t squash_i,
  // dispatch: lanes in program order
  output rob_room_t room_o,
  input  logic [CoreWidth-1:0] fire_i,
  input  count_t fire_count_i,
  input  word_t pc_i [CoreWidth],
  input  logic [31:0] insn_i [CoreWidth],
  input  rob_entry_t entry_i [CoreWidth],
  // completion; the first BranchPorts may be mispredicted branches
  input  logic [Dones-1:0] done_i,
  input  rob_idx_t done_rob_i [Dones],
  input  logic [BranchPorts-1:0] mispredict_i,
  input  mem_event_t event_i [MemEvents],          // of loads, stores, AMOs, as they happen
  input  logic keep_i,                             // vectors are kept (vector_gate); else they are 0
  // the oldest, by bank
  output rob_idx_t head_o,
  output logic [LaneBits-1:0] oldest_o,
  output window_t window_o [CoreWidth],
  // they leave
  input  count_t commit_count_i,
  input  logic clear_i                             // at the end of the cycle the ROB is empty
);
  localparam int unsigned RowBits = Rows > 1 ? $clog2(Rows) : 1;
  typedef logic [RowBits-1:0] row_t;
  typedef logic [LaneBits-1:0] bank_t;
  typedef logic [RobIdxBits-2:0] idx_t;

  function automatic bank_t bank_of(input idx_t idx);
    bank_of = bank_t'(32'(idx) % CoreWidth);
  endfunction
  function automatic row_t row_of(input idx_t idx);
    row_of = row_t'(32'(idx) / CoreWidth);
  endfunction
  // Row in which bank b holds one of the CoreWidth entries that start at idx.
  function automatic row_t window_row(input idx_t idx, input bank_t b);
    row_t row;
    row = row_of(idx);
    window_row = b >= bank_of(idx) ? row : row_t'(ring_sum(32'(row), 1, Rows));
  endfunction

  rob_idx_t head_q, tail_q, head_d, tail_d, dis_rob [CoreWidth];
  logic [Rows-1:0] done_q [CoreWidth];
  logic [Rows-1:0] mispredict_q [CoreWidth];
  psv_t psv_q [RobEntries];

  int unsigned used;
  assign used = ring_used(tail_q.wrap == head_q.wrap, 32'(head_q.idx), 32'(tail_q.idx), RobEntries);
  assign room_o.free = (RobEntries - used >= CoreWidth) ? count_t'(CoreWidth) : count_t'(RobEntries - used);
  assign room_o.empty = head_q == tail_q;
  assign head_o = head_q;
  assign oldest_o = bank_of(head_q.idx);

  for (genvar i = 0; i < CoreWidth; i++) begin : gen_rob
    assign dis_rob[i] = rob_add(tail_q, i);
    assign room_o.place[i] = dis_rob[i];
  end

  always_comb begin
    head_d = rob_add(head_q, 32'(commit_count_i));
    tail_d = rob_add(tail_q, 32'(fire_count_i));
    if (squash_i.valid && !squash_i.all) tail_d = rob_add(squash_i.rob, 1);
    if (clear_i) tail_d = head_d;
  end

  always_ff @(posedge clk_i)
    if (!rst_ni) begin
      head_q <= '0;
      tail_q <= '0;
    end else begin
      head_q <= head_d;
      tail_q <= tail_d;
    end

  // ---- flags: cleared at dispatch, set at completion ----
  logic [Rows-1:0] clear [CoreWidth], done_set [CoreWidth], mispredict_set [CoreWidth];
  always_comb begin
    for (int b = 0; b < CoreWidth; b++) begin
      clear[b] = '0;
      done_set[b] = '0;
      mispredict_set[b] = '0;
    end
    for (int i = 0; i < CoreWidth; i++)
      if (fire_i[i]) clear[bank_of(dis_rob[i].idx)][row_of(dis_rob[i].idx)] = 1'b1;
    for (int d = 0; d < Dones; d++)
      if (done_i[d]) done_set[bank_of(done_rob_i[d].idx)][row_of(done_rob_i[d].idx)] = 1'b1;
    for (int d = 0; d < BranchPorts; d++)
      if (mispredict_i[d]) mispredict_set[bank_of(done_rob_i[d].idx)][row_of(done_rob_i[d].idx)] = 1'b1;
  end

  for (genvar b = 0; b < CoreWidth; b++) begin : gen_flags
    always_ff @(posedge clk_i) begin
      done_q[b] <= (done_q[b] & ~clear[b]) | done_set[b];
      mispredict_q[b] <= (mispredict_q[b] & ~clear[b]) | mispredict_set[b];
    end
  end

  always_ff @(posedge clk_i) begin
    for (int i = 0; i < CoreWidth; i++) if (fire_i[i]) psv_q[dis_rob[i].idx] <= entry_i[i].psv;
    for (int p = 0; p < MemEvents; p++)  // bits are set where they are: an entry is not read to be written
      if (event_i[p].valid) for (int b = 0; b < PsvBits; b++) if (event_i[p].psv[b])
        psv_q[event_i[p].rob.idx][b] <= 1'b1;
    if (VectorWindow != 0 && !keep_i) psv_q <= '{default: '0};
  end

  // ---- banks ----
  for (genvar b = 0; b < CoreWidth; b++) begin : gen_bank
    row_t head_row, tail_row;
    idx_t head_idx;
    bank_t lane, age;
    word_t pc;
    logic [31:0] insn;
    rob_info_t info;
    assign head_row = window_row(head_q.idx, bank_t'(b));
    assign tail_row = window_row(tail_q.idx, bank_t'(b));
    assign head_idx = idx_t'(32'(head_row) * CoreWidth + b);
    // Distance from the first bank: which dispatching lane comes here, and how old the bank's head is.
    assign lane = bank_t'(b >= 32'(bank_of(tail_q.idx)) ? b - 32'(bank_of(tail_q.idx)) :
                                                         b + CoreWidth - 32'(bank_of(tail_q.idx)));
    assign age = bank_t'(b >= 32'(oldest_o) ? b - 32'(oldest_o) : b + CoreWidth - 32'(oldest_o));

    rob_bank u_rob_bank (
      .clk_i,
      .write_i(fire_i[lane]),
      .write_row_i(tail_row),
      .pc_i(pc_i[lane]),
      .insn_i(insn_i[lane]),
      .info_i(entry_i[lane].info),
      .read_row_i(head_row),
      .pc_o(pc),
      .insn_o(insn),
      .info_o(info)
    );

    assign window_o[b] = '{valid: used > 32'(age), done: done_q[b][head_row], mispredict: mispredict_q[b][head_row],
                           info: info, psv: psv_q[head_idx], insn: insn, pc: pc};
  end

  `include "assert.svh"
  `ASSERT(NeverOverfull, used <= RobEntries)
  `ASSERT(CommitWhatIsThere, 32'(commit_count_i) <= used)
  `ASSERT(NoDispatchInSquash, !(squash_i.valid && fire_i != '0))

  // What the proof of the vectors takes for granted (tests/formal/psv_rob_spec.sv, psv_rob_proof.sv): execution speaks
  // of instructions that are here, two event ports never of the same, and a branch is resolved once, not in the cycle
  // in which it dies.
  function automatic logic alive(input rob_idx_t r);
    alive = ring_used(r.wrap == head_q.wrap, 32'(head_q.idx), 32'(r.idx), RobEntries) < used;
  endfunction
  logic [Dones-1:0] astray;
  logic [BranchPorts-1:0] late;
  logic [MemEvents-1:0] event_astray;
  always_comb begin
    for (int d = 0; d < Dones; d++) astray[d] = done_i[d] && !alive(done_rob_i[d]);
    for (int d = 0; d < BranchPorts; d++)
      late[d] = mispredict_i[d] && (!done_i[d] || rob_killed(squash_i, done_rob_i[d]) ||
                                    done_q[bank_of(done_rob_i[d].idx)][row_of(done_rob_i[d].idx)]);
    for (int p = 0; p < MemEvents; p++) begin
      event_astray[p] = event_i[p].valid && (!alive(event_i[p].rob) || rob_killed(squash_i, event_i[p].rob));
      for (int q = 0; q < p; q++)
        if (event_i[p].valid && event_i[q].valid && event_i[p].rob == event_i[q].rob) event_astray[p] = 1'b1;
    end
  end
  `ASSERT(ResolvedOnce, late == '0)
  `ASSERT(DoneIsAlive, astray == '0)
  `ASSERT(EventsAreAliveAndApart, event_astray == '0)
endmodule
