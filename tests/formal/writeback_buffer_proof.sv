// The write-back buffer of a coherent cache, for every stream of lines that leave, snoops and acknowledgements.
//
// The story: of one line, pushed at any moment, entry, line and data are remembered, and whether it has been sent, and
// whether a snoop has taken its data. Until its acknowledgement every search finds it; it is sent once, in turn, with
// its data or, if they were taken, without; and a snoop of its line gets them once. The first cycle is reset.
module writeback_buffer_proof
  import config_pkg::*;
  import core_pkg::*;
  import line_pkg::*;
  import dcache_pkg::*;
(
  input logic clk_i,
  input wb_push_t push_i,
  input line_t look_i,
  input line_t snoop_line_i,
  input logic snoop_take_i,
  input put_in_t put_i,
  input logic watch_i            // remember the line that is pushed now
);
  logic rst_n_q = 1'b0;
  always_ff @(posedge clk_i) rst_n_q <= 1'b1;

  line_t look [MemPorts];
  wb_vec_t found [MemPorts];
  wb_snoop_t snoop;
  put_t put;
  logic room1, room2, empty;
  always_comb for (int p = 0; p < MemPorts; p++) look[p] = look_i;
  writeback_buffer u_buffer (
    .clk_i, .rst_ni(rst_n_q), .push_i, .room1_o(room1), .room2_o(room2), .empty_o(empty), .look_line_i(look),
    .look_found_o(found), .snoop_line_i, .snoop_take_i, .snoop_o(snoop), .put_o(put), .put_i
  );

  // ---- what is watched ----
  logic watched_q = 1'b0, sent_q, taken_q;
  wb_idx_t entry_q;
  line_t line_q;
  logic [LineBits-1:0] data_q;
  always_ff @(posedge clk_i)
    if (!rst_n_q) watched_q <= 1'b0;
    else begin
      if (watched_q) begin
        if (put_i.take && put.id == entry_q) sent_q <= 1'b1;
        if (snoop_take_i && snoop_line_i == line_q) taken_q <= 1'b1;
        if (put_i.done[entry_q]) watched_q <= 1'b0;
      end else if (watch_i && push_i.valid) begin
        watched_q <= 1'b1;
        sent_q <= 1'b0;
        taken_q <= 1'b0;
        entry_q <= u_buffer.tail_q;
        line_q <= push_i.line;
        data_q <= push_i.data;
      end
    end

  // What has gone; what is not sent stands from send_q up to tail_q.
  wb_vec_t sent, live;
  logic all;                     // unsent ones fill the ring
  assign sent = u_buffer.valid_q & ~u_buffer.unsent_q;
  assign all = u_buffer.unsent_q == '1;
  always_comb
    for (int i = 0; i < WbEntries; i++)
      live[i] = u_buffer.valid_q[i] && !u_buffer.void_q[i] && u_buffer.line_q[i] == push_i.line;

  always_comb
    if (rst_n_q) begin
      // The cache pushes where there is room, and no line whose data are still here; nothing leaves, and nothing comes,
      // while a snoop acts; what is acknowledged has been sent.
      assume (!push_i.valid || (room1 && live == '0));
      assume (!put_i.take || put.valid);
      assume (!snoop_take_i || (snoop.live && !put_i.take && !push_i.valid));
      assume ((put_i.done & ~(sent | (put_i.take ? wb_vec_t'(1) << put.id : '0))) == '0);
`ifdef PROVE_BUFFER
      // What a user relies on.
      if (watched_q) begin
        assert (found[0][entry_q] == (look_i == line_q));
        assert (!empty);
        if (put.valid && put.id == entry_q) begin
          assert (!sent_q && put.line == line_q && put.has == !taken_q);
          assert (taken_q || put.data == data_q);
        end
        if (snoop_line_i == line_q && !taken_q) assert (snoop.live && snoop.data == data_q);
        if (push_i.valid) assert (u_buffer.tail_q != entry_q);
      end
      assert (!room2 || room1);
      // What induction needs.
      assert ((u_buffer.unsent_q & ~u_buffer.valid_q) == '0);
      for (int i = 0; i < WbEntries; i++)
        assert (u_buffer.unsent_q[wb_idx_t'(32'(u_buffer.send_q) + i)] ==
                (all || wb_idx_t'(i) < wb_idx_t'(u_buffer.tail_q - u_buffer.send_q)));
      assert (!all || u_buffer.tail_q == u_buffer.send_q);
      if (watched_q) begin
        assert (u_buffer.valid_q[entry_q] && u_buffer.line_q[entry_q] == line_q);
        assert (u_buffer.unsent_q[entry_q] == !sent_q && u_buffer.void_q[entry_q] == taken_q);
        assert (u_buffer.u_data.mem_q[entry_q] == data_q);
        // The only one of its line with data.
        for (int i = 0; i < WbEntries; i++)
          assert (wb_idx_t'(i) == entry_q || taken_q || !u_buffer.valid_q[i] || u_buffer.void_q[i] ||
                  u_buffer.line_q[i] != line_q);
      end
`endif
`ifdef COVER
      cover (watched_q && sent_q && !taken_q && snoop_take_i && snoop_line_i == line_q);
      cover (watched_q && taken_q && put.valid && put.id == entry_q);
`endif
    end
endmodule
