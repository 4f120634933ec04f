// The hub's transactions: one of a line at a time. All other caches are snooped while memory is read; the newest data
// win; the line is kept until its new copy is written.
//
//   take_i -> open, waiting for acks and memory -> (GET of dirty data: write_o, memory first) -> answer_o -> done_i
//
// An ACK's data are newer than memory's, which nobody waits for then: they come, at the latest, before the line is
// given up. A PUT of the line that comes meanwhile brings nothing new: its PUT_ACK follows
// the snoop, which finds the victim in its buffer, and the ACK has the same data. An IGET, an error and a refusal leave
// no copy: they end with the answer. `ended_o` is set in the last cycle of a transaction, `open_o` too.
`include "assert.svh"

module hub_transactions
  import line_pkg::*;
  import hub_pkg::*;
#(
  parameter int unsigned Harts = 2,
  parameter int unsigned Transactions = 8,
  localparam int unsigned IdxBits = $clog2(Transactions)
) (
  input  logic clk_i,
  input  logic rst_ni,
  input  logic take_i,
  input  hub_next_t next_i,
  input  logic [Harts-1:0] snooped_i,               // with take_i: who gets a snoop
  output logic free_o,
  output logic [IdxBits-1:0] free_idx_o,
  output logic [Transactions-1:0] open_o,
  output line_t line_o [Transactions],
  output logic [Transactions-1:0] ended_o,
  input  logic [Harts-1:0] ack_i,                   // ACKs of this cycle: up_i says what
  input  hub_up_t up_i [Harts],
  input  logic data_i,                              // one of them brings data
  input  hub_up_t data_up_i,
  input  line_resp_t memory_i,                      // its id is the transaction
  output hub_write_t write_o,
  input  logic write_take_i,
  output hub_answer_t answer_o,                     // registered
  output hart_t answer_hart_o,
  input  hub_done_t done_i [Harts]
);
  typedef logic [IdxBits-1:0] idx_t;
  typedef logic [Transactions-1:0] set_t;

  set_t open_q, over_q, reading_q, answered_q, acked_q, written_q, kept_q, gave_q, refused_q, llc_q, error_q;
  logic [Harts-1:0] awaited_q [Transactions];
  hub_request_e kind_q [Transactions];
  hart_t hart_q [Transactions];
  tag_t id_q [Transactions];
  line_t line_q [Transactions];
  logic [LineBits-1:0] data_q [Transactions];
  assign open_o = open_q;
  for (genvar t = 0; t < Transactions; t++) begin : gen_line
    assign line_o[t] = line_q[t];
  end

  logic [0:0] free;
  idx_t free_idx [1];
  find_first #(.Width(Transactions)) u_free (.set_i(~open_q), .valid_o(free), .idx_o(free_idx));
  assign free_o = free[0];
  assign free_idx_o = free_idx[0];

  // ---- what has come ----
  idx_t memory_idx;
  assign memory_idx = idx_t'(memory_i.id);
  set_t brings;
  always_comb for (int t = 0; t < int'(Transactions); t++) brings[t] = data_i && 32'(data_up_i.tag) == t;

  // ---- complete: memory first where the data stay shared, then the answer ----
  set_t complete, must_write, may_answer;
  always_comb
    for (int t = 0; t < int'(Transactions); t++) begin
      complete[t] = open_q[t] && (!reading_q[t] || acked_q[t]) && awaited_q[t] == '0 && !answered_q[t];
      must_write[t] = complete[t] && kind_q[t] == HUB_GET && acked_q[t] && !written_q[t];
      may_answer[t] = complete[t] && !must_write[t];
    end
  logic write, answer;
  idx_t write_idx, answer_idx;
  round_robin #(.Width(Transactions)) u_write (
    .clk_i, .rst_ni, .set_i(must_write), .take_i(write_take_i), .valid_o(write), .idx_o(write_idx)
  );
  round_robin #(.Width(Transactions)) u_answer (
    .clk_i, .rst_ni, .set_i(may_answer), .take_i(answer), .valid_o(answer), .idx_o(answer_idx)
  );
  assign write_o = '{valid: write, line: line_q[write_idx], data: data_q[write_idx]};

  logic fails, ends;  // no line; the answer is the end
  assign fails = error_q[answer_idx] && !acked_q[answer_idx];
  assign ends = fails || refused_q[answer_idx] || kind_q[answer_idx] == HUB_IGET;
  always_ff @(posedge clk_i) begin
    if (!rst_ni) answer_o.valid <= 1'b0;
    else answer_o.valid <= answer;
    answer_hart_o <= hart_q[answer_idx];
    answer_o.id <= id_q[answer_idx];
    answer_o.transaction <= tag_t'(answer_idx);
    answer_o.exclusive <= kind_q[answer_idx] != HUB_IGET && !kept_q[answer_idx];  // an INVAL keeps nothing
    answer_o.dirty <= kind_q[answer_idx] == HUB_OWN && acked_q[answer_idx];
    answer_o.peer <= gave_q[answer_idx] || acked_q[answer_idx];
    answer_o.llc_miss <= llc_q[answer_idx];
    answer_o.error <= fails && !refused_q[answer_idx];
    answer_o.refused <= refused_q[answer_idx];
    if (answer) answer_o.data <= data_q[answer_idx];
  end

  set_t over;  // nobody needs it, but for memory's data, which may still be on their way
  always_comb begin
    over = over_q;
    if (answer && ends) over[answer_idx] = 1'b1;
    for (int h = 0; h < int'(Harts); h++) if (done_i[h].valid) over[idx_t'(done_i[h].transaction)] = 1'b1;
    ended_o = over & ~reading_q;
  end

  always_ff @(posedge clk_i)
    if (!rst_ni) {open_q, over_q} <= '0;
    else begin
      open_q <= open_q & ~ended_o;
      over_q <= over & ~ended_o;
      if (take_i) open_q[free_idx_o] <= 1'b1;
    end

  always_ff @(posedge clk_i) begin
    for (int t = 0; t < int'(Transactions); t++) begin
      for (int h = 0; h < int'(Harts); h++)
        if (ack_i[h] && 32'(up_i[h].tag) == t) begin
          awaited_q[t][h] <= 1'b0;
          if (up_i[h].keeps) kept_q[t] <= 1'b1;
          if (up_i[h].gave) gave_q[t] <= 1'b1;
          if (up_i[h].refuses) refused_q[t] <= 1'b1;
        end
      if (brings[t]) acked_q[t] <= 1'b1;
      if (brings[t]) data_q[t] <= data_up_i.data;
      else if (memory_i.valid && memory_idx == idx_t'(t) && !acked_q[t]) data_q[t] <= memory_i.data;
    end
    if (memory_i.valid) begin
      reading_q[memory_idx] <= 1'b0;
      llc_q[memory_idx] <= memory_i.llc_miss;
      error_q[memory_idx] <= memory_i.error;
    end
    if (write_take_i) written_q[write_idx] <= 1'b1;
    if (answer) answered_q[answer_idx] <= 1'b1;
    if (take_i) begin
      kind_q[free_idx_o] <= next_i.kind;
      hart_q[free_idx_o] <= next_i.hart;
      id_q[free_idx_o] <= next_i.id;
      line_q[free_idx_o] <= next_i.line;
      awaited_q[free_idx_o] <= snooped_i;
      reading_q[free_idx_o] <= 1'b1;
      answered_q[free_idx_o] <= 1'b0;
      acked_q[free_idx_o] <= 1'b0;
      written_q[free_idx_o] <= 1'b0;
      kept_q[free_idx_o] <= 1'b0;
      gave_q[free_idx_o] <= 1'b0;
      refused_q[free_idx_o] <= 1'b0;
      llc_q[free_idx_o] <= 1'b0;
    end
  end

  logic stray, done_early;  // an ACK that nobody awaits; a `done` of what is not answered
  always_comb begin
    stray = 1'b0;
    done_early = 1'b0;
    for (int h = 0; h < int'(Harts); h++) begin
      if (ack_i[h] && !(open_q[idx_t'(up_i[h].tag)] && awaited_q[idx_t'(up_i[h].tag)][h])) stray = 1'b1;
      if (done_i[h].valid && !(open_q[idx_t'(done_i[h].transaction)] && answered_q[idx_t'(done_i[h].transaction)] &&
                               32'(hart_q[idx_t'(done_i[h].transaction)]) == h)) done_early = 1'b1;
    end
  end
  `ASSERT(AcksAwaited, !stray)
  `ASSERT(DoneIsAnswered, !done_early)
  `ASSERT(MemoryIsRead, !memory_i.valid || (open_q[memory_idx] && reading_q[memory_idx]))
  `ASSERT(TakenIsFree, !take_i || free_o)
endmodule
