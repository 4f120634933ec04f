// Requests that the hub has not begun: those of one line in the order in which they came, those of different lines in
// turn.
//
//   request_i -> an entry (its hart and number say which): fresh -> linked after the last one of its line, if there
//   is one, begun or not -> ready -> next_o, and with take_i a transaction
//
// One request is linked in a cycle. A line's requests are a chain whose first member is ready or a transaction; each
// knows who follows it, and the last one, the tail, is found by its line. Where a transaction ends, its follower is
// ready.
`include "assert.svh"

module hub_requests
  import hub_pkg::*;
#(
  parameter int unsigned Harts = 2,
  parameter int unsigned Requests = 16,  // of a hart at once: numbers below this
  parameter int unsigned Transactions = 8,
  localparam int unsigned TransactionBits = $clog2(Transactions)
) (
  input  logic clk_i,
  input  logic rst_ni,
  input  hub_request_t request_i [Harts],
  output hub_next_t next_o,
  input  logic take_i,
  input  logic [TransactionBits-1:0] take_as_i,    // the transaction that it becomes
  input  logic [Transactions-1:0] open_i,
  input  line_t open_line_i [Transactions],
  input  logic [Transactions-1:0] ended_i          // in this cycle
);
  localparam int unsigned Entries = Harts * Requests;
  localparam int unsigned IdxBits = $clog2(Entries);
  typedef logic [IdxBits-1:0] idx_t;
  typedef logic [Entries-1:0] entries_t;

  entries_t fresh_q, linked_q, ready_q, tail_q;
  hub_request_e kind_q [Entries];
  line_t line_q [Entries];
  idx_t follower_q [Entries];
  logic [Transactions-1:0] followed_q;
  idx_t first_q [Transactions];  // who follows the transaction

  // ---- link ----
  logic link;
  idx_t link_idx;
  round_robin #(.Width(Entries)) u_link (
    .clk_i, .rst_ni, .set_i(fresh_q), .take_i(link), .valid_o(link), .idx_o(link_idx)
  );
  entries_t behind_entry;                       // one at most
  logic [Transactions-1:0] behind_transaction;  // one at most, and only where the other is 0
  always_comb begin
    for (int i = 0; i < int'(Entries); i++)
      behind_entry[i] = link && linked_q[i] && tail_q[i] && line_q[i] == line_q[link_idx];
    for (int t = 0; t < int'(Transactions); t++)
      behind_transaction[t] = link && open_i[t] && !ended_i[t] && !followed_q[t] && open_line_i[t] == line_q[link_idx];
  end

  // ---- the next one ----
  idx_t next_idx;
  logic next_valid;
  round_robin #(.Width(Entries)) u_next (
    .clk_i, .rst_ni, .set_i(ready_q), .take_i(take_i), .valid_o(next_valid), .idx_o(next_idx)
  );
  assign next_o = '{valid: next_valid, kind: kind_q[next_idx], hart: hart_t'(32'(next_idx) / Requests),
                    id: tag_t'(32'(next_idx) % Requests), line: line_q[next_idx]};

  always_ff @(posedge clk_i)
    if (!rst_ni) begin
      fresh_q <= '0;
      linked_q <= '0;
      ready_q <= '0;
      followed_q <= '0;
    end else begin
      for (int h = 0; h < int'(Harts); h++)
        if (request_i[h].valid) fresh_q[idx_t'(h * int'(Requests) + int'(request_i[h].id))] <= 1'b1;
      for (int t = 0; t < int'(Transactions); t++) begin
        if (ended_i[t] && followed_q[t]) ready_q[first_q[t]] <= 1'b1;
        if (behind_transaction[t]) followed_q[t] <= 1'b1;
      end
      if (take_i) begin
        linked_q[next_idx] <= 1'b0;
        ready_q[next_idx] <= 1'b0;
        followed_q[take_as_i] <= !tail_q[next_idx] || behind_entry[next_idx];
      end
      if (link) begin
        fresh_q[link_idx] <= 1'b0;
        linked_q[link_idx] <= 1'b1;
        ready_q[link_idx] <= behind_entry == '0 && behind_transaction == '0;
      end
    end

  always_ff @(posedge clk_i) begin
    for (int h = 0; h < int'(Harts); h++)
      if (request_i[h].valid) begin
        kind_q[idx_t'(h * int'(Requests) + int'(request_i[h].id))] <= request_i[h].kind;
        line_q[idx_t'(h * int'(Requests) + int'(request_i[h].id))] <= request_i[h].line;
      end
    for (int i = 0; i < int'(Entries); i++)
      if (behind_entry[i]) begin
        follower_q[i] <= link_idx;
        tail_q[i] <= 1'b0;
      end
    for (int t = 0; t < int'(Transactions); t++) if (behind_transaction[t]) first_q[t] <= link_idx;
    if (take_i) first_q[take_as_i] <= behind_entry[next_idx] ? link_idx : follower_q[next_idx];
    if (link) tail_q[link_idx] <= 1'b1;
  end

  // A number beyond the last; one that is in use; two of one hart and line; two of one line that could begin.
  logic number, again, own, both;
  always_comb begin
    number = 1'b0;
    again = 1'b0;
    for (int h = 0; h < int'(Harts); h++)
      if (request_i[h].valid) begin
        if (32'(request_i[h].id) >= Requests) number = 1'b1;
        else if (fresh_q[idx_t'(h * int'(Requests) + int'(request_i[h].id))] ||
                 linked_q[idx_t'(h * int'(Requests) + int'(request_i[h].id))]) again = 1'b1;
      end
    own = 1'b0;
    for (int i = 0; i < int'(Entries); i++)
      if (link && (fresh_q[i] || linked_q[i]) && idx_t'(i) != link_idx && line_q[i] == line_q[link_idx] &&
          i / int'(Requests) == 32'(link_idx) / int'(Requests)) own = 1'b1;
    both = 1'b0;
    for (int t = 0; t < int'(Transactions); t++)
      if (next_valid && open_i[t] && open_line_i[t] == next_o.line) both = 1'b1;
  end
  `ASSERT(NumbersInside, !number)
  `ASSERT(NumbersFree, !again)
  `ASSERT(OneOfAHartAndLine, !own)
  `ASSERT(OneOfALine, !both)
  `ASSERT(OneTail, $onehot0({behind_entry, behind_transaction}))
endmodule
