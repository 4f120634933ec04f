// The hub: keeps the L1 data caches of several harts coherent by broadcast, in front of one memory that takes lines.
//
//   requests -> hub_requests (a line's in order) -> a transaction: snoops to all other caches, and a read of memory
//   PUTs and ACKs -> a queue a hart -> memory and transactions        snoops and PUT_ACKs -> a queue a hart
//
// One of three events a cycle takes the memory port, in turn: a PUT is written and acknowledged, a transaction's dirty
// data are written, a request becomes a transaction. So each of them sees the others in one order, and no queue gets
// two messages in a cycle. A PUT waits for nothing but its turn and memory's room, never for a request: else a refill,
// its victim, the transactions and their refills would wait in a circle.
`include "assert.svh"

module hub
  import line_pkg::*;
  import hub_pkg::*;
#(
  parameter int unsigned Harts = 2,           // 1 to 16: ports
  parameter int unsigned Requests = 16,       // of a hart at once, at most 32
  parameter int unsigned Transactions = 8,    // at once, at most 32
  parameter int unsigned Victims = 8          // of a hart that wait for PUT_ACK
) (
  input  logic clk_i,
  input  logic rst_ni,
  input  logic [Harts-1:0] present_i,         // constant: which have a cache; others keep no line after `done`
  input  hub_request_t request_i [Harts],
  input  hub_up_t up_i [Harts],
  output hub_down_t down_o [Harts],
  output hub_answer_t answer_o [Harts],
  input  hub_done_t done_i [Harts],
  output line_req_t memory_req_o,
  output logic memory_insn_o,                 // the read is an instruction miss's
  input  logic memory_ready_i,
  input  line_resp_t memory_resp_i            // reads in any order
);
  localparam int unsigned TransactionBits = $clog2(Transactions);
  localparam int unsigned Queue = Victims + Transactions;  // the most that can be on their way to or from a hart
  typedef logic [Harts-1:0] harts_t;
  typedef logic [TransactionBits-1:0] transaction_t;

  // ---- PUTs and ACKs: those without data as they come, of all harts; those with data and PUTs one a cycle ----
  hub_up_t up [Harts];
  harts_t up_room, up_valid, up_pop, ack, brings;
  for (genvar h = 0; h < Harts; h++) begin : gen_up
    fifo #(.Width($bits(hub_up_t)), .Depth(Queue)) u_up (
      .clk_i, .rst_ni, .push_i(up_i[h].valid), .data_i(up_i[h]), .pop_i(up_pop[h]), .room_o(up_room[h]),
      .valid_o(up_valid[h]), .data_o(up[h])
    );
    `ASSERT(UpHasRoom, !up_i[h].valid || up_room[h])
    assign brings[h] = up_valid[h] && (up[h].put || up[h].has);
  end
  logic data, data_take, put_take;
  logic [$clog2(Harts > 1 ? Harts : 2)-1:0] data_hart;
  hub_up_t data_up;
  round_robin #(.Width(Harts)) u_data (
    .clk_i, .rst_ni, .set_i(brings), .take_i(data_take), .valid_o(data), .idx_o(data_hart)
  );
  assign data_up = up[data_hart];
  assign data_take = data && (!data_up.put || put_take);
  always_comb
    for (int h = 0; h < int'(Harts); h++) begin
      up_pop[h] = up_valid[h] && (!brings[h] || (data_take && 32'(data_hart) == h));
      ack[h] = up_pop[h] && !up[h].put;
    end

  // ---- requests and transactions ----
  hub_next_t next;
  hub_write_t write;
  logic take, write_take, free;
  transaction_t free_idx;
  logic [Transactions-1:0] open, ended;
  line_t open_line [Transactions];
  hub_answer_t answer;
  hart_t answer_hart;
  harts_t snooped;
  hub_requests #(.Harts(Harts), .Requests(Requests), .Transactions(Transactions)) u_requests (
    .clk_i, .rst_ni, .request_i, .next_o(next), .take_i(take), .take_as_i(free_idx), .open_i(open),
    .open_line_i(open_line), .ended_i(ended)
  );
  hub_transactions #(.Harts(Harts), .Transactions(Transactions)) u_transactions (
    .clk_i, .rst_ni, .take_i(take), .next_i(next), .snooped_i(snooped), .free_o(free), .free_idx_o(free_idx),
    .open_o(open), .line_o(open_line), .ended_o(ended), .ack_i(ack), .up_i(up),
    .data_i(data_take && !data_up.put), .data_up_i(data_up), .memory_i(memory_resp_i), .write_o(write),
    .write_take_i(write_take), .answer_o(answer), .answer_hart_o(answer_hart), .done_i
  );
  for (genvar h = 0; h < Harts; h++) begin : gen_snooped
    assign snooped[h] = present_i[h] && 32'(next.hart) != h;
  end

  // ---- the memory port ----
  typedef enum logic [1:0] {PUT, WRITE, TAKE} event_e;
  logic any, go;
  logic [1:0] turn;
  round_robin #(.Width(3)) u_turn (
    .clk_i, .rst_ni, .set_i({next.valid && free, write.valid, data && data_up.put}), .take_i(go), .valid_o(any),
    .idx_o(turn)
  );
  logic void_put;  // says nothing to memory
  assign void_put = turn == PUT && !data_up.has;
  assign go = any && memory_ready_i;
  assign put_take = go && turn == PUT;
  assign write_take = go && turn == WRITE;
  assign take = go && turn == TAKE;
  always_comb begin
    memory_req_o = '{valid: any && !void_put, write: turn != TAKE, id: tag_t'(free_idx), addr: {next.line, 6'd0},
                     data: turn == WRITE ? write.data : data_up.data};
    if (turn == PUT) memory_req_o.addr = {data_up.line, 6'd0};
    if (turn == WRITE) memory_req_o.addr = {write.line, 6'd0};
  end
  assign memory_insn_o = turn == TAKE && next.kind == HUB_IGET;

  // ---- to the harts ----
  for (genvar h = 0; h < Harts; h++) begin : gen_down
    hub_down_t message;
    logic push, snoop;
    assign snoop = take && snooped[h];
    assign push = snoop || (put_take && 32'(data_hart) == h);
    assign message = '{valid: 1'b1, kind: snoop ? snoop_of(next.kind) : HUB_PUT_ACK,
                       tag: snoop ? tag_t'(free_idx) : data_up.tag, line: snoop ? next.line : data_up.line};
    always_ff @(posedge clk_i) begin
      down_o[h] <= message;
      down_o[h].valid <= rst_ni && push;
    end
    always_comb begin
      answer_o[h] = answer;
      answer_o[h].valid = answer.valid && 32'(answer_hart) == h;
    end
  end

  logic wrong;  // what a void PUT or an ACK cannot be
  always_comb begin
    wrong = 1'b0;
    for (int h = 0; h < int'(Harts); h++) if (ack[h] && up[h].refuses && (up[h].keeps || up[h].has)) wrong = 1'b1;
  end
  `ASSERT(RefusesAlone, !wrong)
endmodule
