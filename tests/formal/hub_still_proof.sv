// The hub when its simulation says that nothing happens in it (still_o): as long as no message and no line from memory
// comes, no message leaves, memory is asked for nothing, and no state changes. A run passes over such
// cycles without a call of the model.
//
// Two harts with caches and the host's port, two requests of each, two transactions; from any state. The first cycle is
// reset.
module hub_still_proof
  import line_pkg::*;
  import hub_pkg::*;
(
  input logic clk_i,
  input logic [1:0] present_i,
  input logic [2:0] request_i,
  input logic [1:0] request_kind_i [3],
  input logic [4:0] request_id_i [3],
  input logic [57:0] request_line_i [3],
  input logic [2:0] up_i,
  input logic [4:0] up_flags_i [3],
  input logic [4:0] up_tag_i [3],
  input logic [57:0] up_line_i [3],
  input logic [511:0] up_data_i [3],
  input logic [2:0] done_i,
  input logic [4:0] done_transaction_i [3],
  input logic memory_ready_i,
  input logic memory_resp_i,
  input logic [1:0] memory_resp_flags_i,
  input logic [4:0] memory_resp_id_i,
  input logic [511:0] memory_resp_data_i
);
  logic rst_n_q = 1'b0;
  always_ff @(posedge clk_i) rst_n_q <= 1'b1;

  logic [2:0] down, answer;
  logic memory, still;
  hub_top #(.Harts(3), .Requests(2), .Transactions(2), .Victims(1)) u_top (
    .clk_i, .rst_ni(rst_n_q), .present_i, .request_i, .request_kind_i, .request_id_i, .request_line_i, .up_i,
    .up_flags_i, .up_tag_i, .up_line_i, .up_data_i, .done_i, .done_transaction_i, .down_o(down), .answer_o(answer),
    .memory_o(memory), .memory_ready_i, .memory_resp_i, .memory_resp_flags_i, .memory_resp_id_i, .memory_resp_data_i,
    .still_o(still), .down_kind_o(), .down_tag_o(), .down_line_o(), .answer_id_o(), .answer_transaction_o(),
    .answer_flags_o(), .answer_data_o(), .memory_write_o(), .memory_insn_o(), .memory_id_o(), .memory_addr_o(),
    .memory_data_o()
  );

  // What a later message meets: requests and their chains, transactions, whose turn it is.
  typedef struct packed {
    logic [5:0] fresh, linked, ready, tail;
    logic [1:0] followed, open, over, reading, answered, acked, written, kept, gave, refused, error;
    logic [2:0] link, next;
    logic [1:0] data, turn;
    logic write, answer;
  } state_t;
  state_t state, state_q;
  assign state = '{
    fresh: u_top.u_hub.u_requests.fresh_q, linked: u_top.u_hub.u_requests.linked_q,
    ready: u_top.u_hub.u_requests.ready_q, tail: u_top.u_hub.u_requests.tail_q,
    followed: u_top.u_hub.u_requests.followed_q, open: u_top.u_hub.u_transactions.open_q,
    over: u_top.u_hub.u_transactions.over_q, reading: u_top.u_hub.u_transactions.reading_q,
    answered: u_top.u_hub.u_transactions.answered_q, acked: u_top.u_hub.u_transactions.acked_q,
    written: u_top.u_hub.u_transactions.written_q, kept: u_top.u_hub.u_transactions.kept_q,
    gave: u_top.u_hub.u_transactions.gave_q, refused: u_top.u_hub.u_transactions.refused_q,
    error: u_top.u_hub.u_transactions.error_q, link: u_top.u_hub.u_requests.u_link.next_q,
    next: u_top.u_hub.u_requests.u_next.next_q, data: u_top.u_hub.u_data.next_q, turn: u_top.u_hub.u_turn.next_q,
    write: u_top.u_hub.u_transactions.u_write.next_q, answer: u_top.u_hub.u_transactions.u_answer.next_q
  };

  logic quiet;                   // without a message and a line from memory
  logic passed_q = 1'b0;         // the last cycle was one that a run passes over
  assign quiet = {request_i, up_i, done_i, memory_resp_i} == '0;
  always_ff @(posedge clk_i) begin
    passed_q <= rst_n_q && still && quiet;
    state_q <= state;
  end
  always_comb
    if (rst_n_q) begin
`ifdef PROVE_STILL
      if (passed_q) begin
        assert (down == '0 && answer == '0 && !memory);
        assert (state == state_q);
        assert (still || !quiet);
      end
`endif
`ifdef COVER
      cover (passed_q && u_top.u_hub.u_transactions.open_q != '0);
`endif
    end
endmodule
