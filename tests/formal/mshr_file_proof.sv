// The miss status holding registers of a coherent cache, for every stream of misses, answers and refills.
//
// The story: one register, any one, is followed: from the miss that takes it, with what that asks, over its request,
// which waits for what it found in the write-back buffer, and its answer to its refill. No two hold one line; each
// request goes once, with its line; each refill has an answer, and what that said. The first cycle is reset.
module mshr_file_proof
  import config_pkg::*;
  import core_pkg::*;
  import line_pkg::*;
  import dcache_pkg::*;
(
  input logic clk_i,
  input logic [MemPorts-1:0] miss_i,
  input mshr_rank_e rank_i [MemPorts],
  input line_t line_i [MemPorts],
  input look_ask_t ask_i [MemPorts],
  input wb_vec_t leaves_i [MemPorts],
  input wb_vec_t gone_i,
  input get_in_t get_i,
  input logic room_i,
  input mshr_t any_i             // the register that is followed, from the first cycle on
);
  logic rst_n_q = 1'b0;
  mshr_t which_q;
  always_ff @(posedge clk_i) begin
    rst_n_q <= 1'b1;
    if (!rst_n_q) which_q <= any_i;
  end

  logic [MemPorts-1:0] join_;
  mshr_t id [MemPorts];
  logic full;
  get_t get;
  set_ask_t next;
  refill_t refill;
  arrival_t arrival;
  logic [LineBits-1:0] refill_data;
  mshr_file u_file (
    .clk_i, .rst_ni(rst_n_q), .miss_i, .rank_i, .line_i, .ask_i, .leaves_i, .gone_i, .join_o(join_), .id_o(id),
    .full_o(full), .get_o(get), .get_i, .refill_room_i(room_i), .refill_next_o(next), .refill_o(refill),
    .arrival_o(arrival), .refill_data_o(refill_data)
  );

  // ---- the one that is followed ----
  typedef enum logic [2:0] {FREE, QUEUED, SENT, FILLED, REFILL} state_e;
  state_e state_q = FREE;
  line_t line_q;
  hub_pkg::hub_request_e kind_q;
  wb_vec_t behind_q;             // what its request waits for
  hub_pkg::hub_answer_t answer_q;
  logic takes;
  assign takes = u_file.alloc && u_file.free_id == which_q;
  always_ff @(posedge clk_i)
    if (!rst_n_q) state_q <= FREE;
    else begin
      behind_q <= behind_q & ~gone_i;
      case (state_q)
        FREE:
          if (takes) begin
            state_q <= QUEUED;
            line_q <= u_file.alloc_line;
            kind_q <= u_file.alloc_ask.kind;
            behind_q <= u_file.alloc_leaves & ~gone_i;
          end
        QUEUED: if (get_i.take && get.id == which_q) state_q <= SENT;
        SENT:
          if (get_i.resp.valid && mshr_t'(get_i.resp.id) == which_q) begin
            state_q <= FILLED;
            answer_q <= get_i.resp;
          end
        FILLED: if (next.valid && u_file.select_id == which_q) state_q <= REFILL;
        default: state_q <= FREE;
      endcase
    end

  // Whether a register's request is in the queue, by its place there, and how often.
  logic [DcMshrs-1:0] queued;
  logic twice;
  always_comb begin
    queued = '0;
    twice = 1'b0;
    for (int i = 0; i < DcMshrs; i++)
      if (32'(i) < 32'(u_file.q_count_q)) begin
        automatic mshr_t at = u_file.queue_q[(32'(u_file.q_head_q) + i) % DcMshrs];
        if (queued[at]) twice = 1'b1;
        queued[at] = 1'b1;
      end
  end

  always_comb begin
    if (!rst_n_q) assume (32'(any_i) < DcMshrs);
    if (rst_n_q) begin
      // What is asked for is answered once, after it has gone.
      assume (!get_i.take || get.valid);
      assume (!get_i.resp.valid || (32'(get_i.resp.id) < DcMshrs && u_file.valid_q[mshr_t'(get_i.resp.id)] &&
                                    !u_file.filled_q[mshr_t'(get_i.resp.id)] && !queued[mshr_t'(get_i.resp.id)] &&
                                    !(u_file.refill_valid_q && u_file.refill_id_q == mshr_t'(get_i.resp.id))));
`ifdef PROVE_FILE
      // What a user relies on.
      for (int i = 0; i < DcMshrs; i++)
        for (int k = 0; k < DcMshrs; k++)
          if (i != k) assert (!(u_file.valid_q[i] && u_file.valid_q[k] && u_file.line_q[i] == u_file.line_q[k]));
      for (int p = 0; p < MemPorts; p++) begin
        if (miss_i[p] && state_q != FREE && line_i[p] == line_q) assert (join_[p] && id[p] == which_q);
        if (miss_i[p] && join_[p] && id[p] == which_q) assert (state_q == FREE ? takes : line_i[p] == line_q);
      end
      if (get.valid && get.id == which_q)
        assert (state_q == QUEUED && get.line == line_q && get.kind == kind_q && behind_q == '0);
      if (refill.valid && refill.id == which_q) begin
        assert (state_q == REFILL && refill.line == line_q && refill_data == answer_q.data);
        assert (refill.error == answer_q.error && refill.refused == answer_q.refused);
        assert (arrival.owned == answer_q.exclusive && arrival.dirty == answer_q.dirty);
        assert (arrival.transaction == answer_q.transaction && arrival.asked.kind == kind_q);
      end
      assert (!next.valid || room_i);
      assert (full == (u_file.valid_q == '1));
      // What induction needs.
      assert (32'(which_q) < DcMshrs && state_q <= REFILL);
      assert (!twice && 32'(u_file.q_count_q) <= DcMshrs && 32'(u_file.q_head_q) < DcMshrs);
      assert (32'(u_file.q_tail_q) == (32'(u_file.q_head_q) + 32'(u_file.q_count_q)) % DcMshrs);
      assert ((queued & ~u_file.valid_q) == '0 && (u_file.filled_q & ~u_file.valid_q) == '0);
      assert ((queued & u_file.filled_q) == '0);
      if (u_file.refill_valid_q)
        assert (u_file.valid_q[u_file.refill_id_q] && !u_file.filled_q[u_file.refill_id_q] &&
                !queued[u_file.refill_id_q]);
      assert (u_file.valid_q[which_q] == (state_q != FREE) && queued[which_q] == (state_q == QUEUED));
      assert (u_file.filled_q[which_q] == (state_q == FILLED));
      assert ((state_q == REFILL) == (u_file.refill_valid_q && u_file.refill_id_q == which_q));
      if (state_q != FREE) assert (u_file.line_q[which_q] == line_q);
      if (state_q != FREE) assert (u_file.gen_copy.copy_q[which_q].asked.kind == kind_q);
      if (state_q == QUEUED) assert (u_file.behind_q[which_q] == behind_q);
      if (state_q == FILLED || state_q == REFILL) begin
        assert (u_file.u_data.mem_q[which_q] == answer_q.data && u_file.error_q[which_q] == answer_q.error);
        assert (u_file.gen_copy.refused_q[which_q] == answer_q.refused);
        assert (u_file.gen_copy.copy_q[which_q].owned == answer_q.exclusive);
        assert (u_file.gen_copy.copy_q[which_q].dirty == answer_q.dirty);
        assert (u_file.gen_copy.copy_q[which_q].transaction == answer_q.transaction);
      end
`endif
`ifdef COVER
      cover (state_q == QUEUED && behind_q != '0 && u_file.req_id == which_q);
      cover (refill.valid && refill.id == which_q && refill.refused);
      cover (full && state_q == QUEUED);
`endif
    end
  end
endmodule
