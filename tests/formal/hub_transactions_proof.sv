// The hub's transactions with three harts, for every stream of requests, ACKs, lines from memory and `done`.
//
// The story: of one transaction, watched from its beginning, who has been snooped and has answered, and with what, is
// remembered. Its answer leaves once, after the last ACK and, where no ACK had data, after memory; it says what they
// said, with the newest data, which memory has before where they stay shared. Until the line is given up its number is
// no other's. What waits for an answer alone gets its turn. The first cycle is reset.
module hub_transactions_proof
  import line_pkg::*;
  import hub_pkg::*;
(
  input logic clk_i,
  input logic take_i,
  input hub_next_t next_i,
  input logic [2:0] snooped_i,
  input logic [2:0] ack_i,
  input hub_up_t up0_i, up1_i, up2_i,
  input logic data_i,
  input logic [1:0] data_from_i,
  input line_resp_t memory_i,
  input logic write_take_i,
  input hub_done_t done0_i, done1_i, done2_i,
  input logic watch_i            // remember the transaction that begins now
);
  localparam int unsigned Harts = 3, Transactions = 2;
  logic rst_n_q = 1'b0;
  always_ff @(posedge clk_i) rst_n_q <= 1'b1;

  hub_up_t up [Harts], data_up;
  hub_done_t done [Harts];
  assign up[0] = up0_i;
  assign up[1] = up1_i;
  assign up[2] = up2_i;
  assign done[0] = done0_i;
  assign done[1] = done1_i;
  assign done[2] = done2_i;
  assign data_up = up[data_from_i];
  logic free, free_idx;
  logic [Transactions-1:0] open, ended;
  line_t line [Transactions];
  hub_write_t write;
  hub_answer_t answer;
  hart_t answer_hart;
  hub_transactions #(.Harts(Harts), .Transactions(Transactions)) u_dut (
    .clk_i, .rst_ni(rst_n_q), .take_i, .next_i, .snooped_i, .free_o(free), .free_idx_o(free_idx), .open_o(open),
    .line_o(line), .ended_o(ended), .ack_i, .up_i(up), .data_i, .data_up_i(data_up), .memory_i, .write_o(write),
    .write_take_i, .answer_o(answer), .answer_hart_o(answer_hart), .done_i(done)
  );

  // ---- what is watched ----
  logic watched_q = 1'b0, last_q = 1'b0, at_q;  // last: the cycle after its end, in which its answer may leave
  hub_next_t asked_q;
  logic [Harts-1:0] snooped_q, acked_q;
  logic kept_q, gave_q, refused_q, has_q, read_q, error_q, wrote_q, left_q, over_q, late_q;
  logic [LineBits-1:0] data_q;   // the newest that has come
  logic ends, leaves;              // it needs no `done`; the answer leaves
  assign ends = refused_q || asked_q.kind == HUB_IGET || (error_q && !has_q);
  assign leaves = (watched_q || last_q) && answer.valid && answer.transaction == 5'(at_q);
  always_ff @(posedge clk_i) begin
    last_q <= rst_n_q && watched_q && ended[at_q];
    if (!rst_n_q) watched_q <= 1'b0;
    else if (watched_q) begin
      for (int h = 0; h < Harts; h++)
        if (ack_i[h] && up[h].tag == 5'(at_q)) begin
          acked_q[h] <= 1'b1;
          if (up[h].keeps) kept_q <= 1'b1;
          if (up[h].gave) gave_q <= 1'b1;
          if (up[h].refuses) refused_q <= 1'b1;
        end
      if (data_i && data_up.tag == 5'(at_q)) begin
        has_q <= 1'b1;
        data_q <= data_up.data;
      end else if (memory_i.valid && memory_i.id == 5'(at_q) && !has_q) data_q <= memory_i.data;
      if (memory_i.valid && memory_i.id == 5'(at_q)) begin
        read_q <= 1'b1;
        error_q <= memory_i.error;
      end
      if (write_take_i && u_dut.write_idx == at_q) wrote_q <= 1'b1;
      if (leaves) left_q <= 1'b1;
      for (int h = 0; h < Harts; h++) if (done[h].valid && done[h].transaction == 5'(at_q)) over_q <= 1'b1;
      late_q <= u_dut.may_answer[at_q] && !(u_dut.answer && u_dut.answer_idx == at_q);
      if (ended[at_q]) watched_q <= 1'b0;
    end else if (!last_q && watch_i && take_i) begin
      watched_q <= 1'b1;
      at_q <= free_idx;
      asked_q <= next_i;
      snooped_q <= snooped_i;
      {acked_q, kept_q, gave_q, refused_q, has_q, read_q, error_q, wrote_q, left_q, over_q, late_q} <= '0;
    end
  end

  always_comb
    if (rst_n_q) begin
      // The hub takes a request where there is room. An ACK is awaited, data come from one of a transaction, one a
      // cycle; who refuses gives and keeps nothing. Memory answers what is read; `done` comes once, after the answer.
      assume (!take_i || (free && 32'(next_i.hart) < Harts));
      assume (!write_take_i || write.valid);
      assume (data_from_i < 2'(Harts) && (!data_i || (ack_i[data_from_i] && data_up.has)));
      for (int h = 0; h < Harts; h++) begin
        assume (!ack_i[h] || (up[h].tag < 5'(Transactions) && u_dut.open_q[up[h].tag[0]] &&
                              u_dut.awaited_q[up[h].tag[0]][h]));
        assume (!ack_i[h] || !up[h].refuses || (!up[h].keeps && !up[h].has));
        assume (!ack_i[h] || !up[h].has || (data_i && 32'(data_from_i) == h && !u_dut.acked_q[up[h].tag[0]]));
        assume (!done[h].valid || (done[h].transaction < 5'(Transactions) && u_dut.open_q[done[h].transaction[0]] &&
                                   u_dut.answered_q[done[h].transaction[0]] &&
                                   32'(u_dut.hart_q[done[h].transaction[0]]) == h));
        assume (!done[h].valid || !watched_q || done[h].transaction != 5'(at_q) || (left_q && !over_q && !ends));
      end
      assume (!memory_i.valid || (memory_i.id < 5'(Transactions) && u_dut.open_q[memory_i.id[0]] &&
                                  u_dut.reading_q[memory_i.id[0]]));
`ifdef PROVE_TRANSACTIONS
      // What a user relies on.
      if (leaves) begin
        assert (!left_q && answer_hart == asked_q.hart && answer.id == asked_q.id);
        assert ((snooped_q & ~acked_q) == '0 && (read_q || has_q));
        assert (answer.exclusive == (asked_q.kind != HUB_IGET && !kept_q));
        assert (answer.dirty == (asked_q.kind == HUB_OWN && has_q));
        assert (answer.peer == (gave_q || has_q));
        assert (answer.refused == refused_q && answer.error == (error_q && !has_q && !refused_q));
        assert (answer.data == data_q);
        assert (asked_q.kind != HUB_GET || !has_q || wrote_q);
      end
      if (last_q) assert (leaves || left_q);
      if (watched_q) begin
        assert (open[at_q] && line[at_q] == asked_q.line);
        assert (!take_i || free_idx != at_q);
        if (write.valid && u_dut.write_idx == at_q)
          assert (write.line == asked_q.line && write.data == data_q && has_q && !left_q && !wrote_q);
        if (ended[at_q]) assert (read_q || (memory_i.valid && memory_i.id == 5'(at_q)));
        if (ended[at_q] && !over_q && !ends) assert (done0_i.valid || done1_i.valid || done2_i.valid);
        if (late_q && u_dut.may_answer[at_q]) assert (u_dut.answer && u_dut.answer_idx == at_q);
        // What induction needs.
        assert (u_dut.hart_q[at_q] == asked_q.hart && u_dut.id_q[at_q] == asked_q.id);
        assert (u_dut.kind_q[at_q] == asked_q.kind);
        assert (u_dut.awaited_q[at_q] == (snooped_q & ~acked_q));
        assert (u_dut.kept_q[at_q] == kept_q && u_dut.gave_q[at_q] == gave_q && u_dut.refused_q[at_q] == refused_q);
        assert (u_dut.acked_q[at_q] == has_q && u_dut.reading_q[at_q] == !read_q && u_dut.written_q[at_q] == wrote_q);
        assert (!read_q || u_dut.error_q[at_q] == error_q);
        assert (read_q || !error_q);
        assert (!(has_q || read_q) || u_dut.data_q[at_q] == data_q);
        assert (u_dut.answered_q[at_q] == (left_q || leaves));
        assert (!u_dut.answered_q[at_q] || ((snooped_q & ~acked_q) == '0 && (read_q || has_q)));
        assert (u_dut.over_q[at_q] == (over_q || ((left_q || leaves) && ends)));
        assert (!over_q || left_q);
        assert (!late_q || u_dut.u_answer.next_q == at_q);
      end
      assert ((u_dut.over_q & ~u_dut.open_q) == '0);
      assert (!watched_q || !last_q);
`endif
`ifdef COVER
      cover (leaves && has_q && asked_q.kind == HUB_GET && !read_q);
      cover (watched_q && ended[at_q] && over_q);
      cover (last_q && leaves && error_q);
      cover (leaves && refused_q);
`endif
    end
endmodule
