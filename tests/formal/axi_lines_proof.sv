// Order and handshakes of axi_lines, for every stream of requests and every memory that answers what it was asked.
//
// The story: writes are numbered as they are accepted, and their Bs come in that order (one ID). Of a read that was
// accepted at any moment, the youngest older write of its line is remembered: its AR is not offered before that write's
// B. Of a write, any one entry's older read of its line: its AW is not offered before that read's last beat. What is
// offered and not taken stays. The first cycle is reset.
module axi_lines_proof
  import core_pkg::*;
  import line_pkg::*;
  import bus_pkg::*;
#(
  localparam int unsigned Reads = 2,
  localparam int unsigned Writes = 2
) (
  input logic clk_i,
  input line_req_t imem_req_i,
  input line_req_t dmem_req_i,
  input axi_resp_t resp_i,
  input logic watch_read_i,      // remember the read of this port that is accepted now, or
  input logic watch_insn_i,
  input logic watch_write_i,     // the write
  input logic [$clog2(Reads)-1:0] any_read_i
);
  typedef logic [$clog2(Reads)-1:0] read_t;
  typedef logic [$clog2(Writes)-1:0] write_t;
  logic rst_n_q = 1'b0;
  always_ff @(posedge clk_i) rst_n_q <= 1'b1;

  axi_req_t req;
  logic imem_ready, dmem_ready;
  line_resp_t imem_resp, dmem_resp;
  axi_lines #(.Reads(Reads), .Writes(Writes)) u_lines (
    .clk_i, .rst_ni(rst_n_q), .imem_req_i, .imem_ready_o(imem_ready), .imem_resp_o(imem_resp),
    .dmem_req_i, .dmem_ready_o(dmem_ready), .dmem_resp_o(dmem_resp), .axi_req_o(req), .axi_resp_i(resp_i),
    .read_error_o(), .write_error_o()
  );

  logic insn, data, write, aw, w_last, ar, last;
  assign insn = imem_req_i.valid && imem_ready;
  assign data = dmem_req_i.valid && dmem_ready && !dmem_req_i.write;
  assign write = dmem_req_i.valid && dmem_ready && dmem_req_i.write;
  assign aw = req.aw.valid && resp_i.aw_ready;
  assign w_last = req.w.valid && resp_i.w_ready && req.w.last;
  assign ar = req.ar.valid && resp_i.ar_ready;
  assign last = resp_i.r.valid && resp_i.r.last;

  // ---- writes, by number ----
  typedef logic [$clog2(Writes):0] count_t;   // modulo twice the entries
  count_t accepted_q = '0, aw_q = '0, w_q = '0, b_q = '0;
  logic [57:0] write_line_q [Writes];
  // ---- reads: asked for, and how many beats have come ----
  logic [Reads-1:0] asked_q = '0, open_q = '0;  // open: accepted, its last beat has not come
  logic [2:0] beats_q [Reads];
  logic [57:0] read_line_q [Reads];

  // The youngest write of a line that has no B yet, and whether there is one.
  logic met [2];
  count_t met_at [2];
  always_comb
    for (int p = 0; p < 2; p++) begin
      met[p] = 1'b0;
      met_at[p] = '0;
      for (int i = 0; i < int'(Writes); i++) begin
        automatic count_t at = b_q + count_t'(i);
        if (count_t'(i) < count_t'(accepted_q - b_q) && !(i == 0 && resp_i.b.valid) &&
            write_line_q[write_t'(at)] == (p == 0 ? imem_req_i.addr[63:6] : dmem_req_i.addr[63:6])) begin
          met[p] = 1'b1;
          met_at[p] = at;
        end
      end
    end

  // ---- what is watched ----
  logic read_q = 1'b0, held_q = 1'b0;         // a read is; it has to wait
  read_t entry_q;
  count_t for_q;
  logic wrote_q = 1'b0, late_q = 1'b0;        // a write is; its older read is open
  count_t number_q;
  read_t older_q;

  always_ff @(posedge clk_i)
    if (rst_n_q) begin
      if (write) begin
        accepted_q <= accepted_q + count_t'(1);
        write_line_q[write_t'(accepted_q)] <= dmem_req_i.addr[63:6];
      end
      if (aw) aw_q <= aw_q + count_t'(1);
      if (w_last) w_q <= w_q + count_t'(1);
      if (resp_i.b.valid) b_q <= b_q + count_t'(1);
      if (last) begin
        asked_q[read_t'(resp_i.r.id)] <= 1'b0;
        open_q[read_t'(resp_i.r.id)] <= 1'b0;
      end
      if (resp_i.r.valid) beats_q[read_t'(resp_i.r.id)] <= beats_q[read_t'(resp_i.r.id)] + 3'd1;
      if (ar) asked_q[read_t'(req.ar.id)] <= 1'b1;
      for (int p = 0; p < 2; p++)
        if (p == 0 ? insn : data) begin
          open_q[u_lines.free[p]] <= 1'b1;
          beats_q[u_lines.free[p]] <= '0;
          read_line_q[u_lines.free[p]] <= p == 0 ? imem_req_i.addr[63:6] : dmem_req_i.addr[63:6];
        end

      if (read_q) begin
        if (resp_i.b.valid && b_q == for_q) held_q <= 1'b0;
        if (last && read_t'(resp_i.r.id) == entry_q) read_q <= 1'b0;
      end else if (watch_read_i && (watch_insn_i ? insn : data)) begin
        read_q <= 1'b1;
        entry_q <= u_lines.free[watch_insn_i ? 0 : 1];
        held_q <= met[watch_insn_i ? 0 : 1];
        for_q <= met_at[watch_insn_i ? 0 : 1];
      end

      if (wrote_q) begin
        if (last && read_t'(resp_i.r.id) == older_q) late_q <= 1'b0;
        if (resp_i.b.valid && b_q == number_q) wrote_q <= 1'b0;
      end else if (watch_write_i && write) begin
        wrote_q <= 1'b1;
        number_q <= accepted_q;
        older_q <= any_read_i;
        late_q <= (open_q[any_read_i] && read_line_q[any_read_i] == dmem_req_i.addr[63:6] &&
                   !(last && read_t'(resp_i.r.id) == any_read_i)) ||
                  (insn && u_lines.free[0] == any_read_i && imem_req_i.addr[63:6] == dmem_req_i.addr[63:6]);
      end
    end

  axi_req_t req_q;
  axi_resp_t resp_q;
  logic after_q = 1'b0;
  always_ff @(posedge clk_i) begin
    req_q <= req;
    resp_q <= resp_i;
    after_q <= rst_n_q;
  end

  count_t next;  // the write that is sent now
  assign next = aw_q - count_t'(u_lines.u_write.addr_sent_q);

  always_comb begin
    if (!rst_n_q) assume (!resp_i.b.valid && !resp_i.r.valid);
    if (rst_n_q) begin
      // The memory: a B after AW and all of W; beats of what was asked for, eight each. IDs are entries.
      assume (!resp_i.b.valid || (b_q != aw_q && b_q != w_q));
      assume (!resp_i.r.valid || (32'(resp_i.r.id) < Reads && asked_q[read_t'(resp_i.r.id)]));
      assume (!resp_i.r.valid || resp_i.r.last == (beats_q[read_t'(resp_i.r.id)] == 3'd7));
`ifdef PROVE_AXI
      assert (!(read_q && held_q && req.ar.valid && read_t'(req.ar.id) == entry_q));
      assert (!(wrote_q && late_q && req.aw.valid && aw_q == number_q));
      if (after_q) begin
        assert (!(req_q.aw.valid && !resp_q.aw_ready) || req.aw == req_q.aw);
        // data: sim/axi_rules.sv
        assert (!(req_q.w.valid && !resp_q.w_ready) ||
                {req.w.valid, req.w.strb, req.w.last} == {req_q.w.valid, req_q.w.strb, req_q.w.last});
        assert (!(req_q.ar.valid && !resp_q.ar_ready) || req.ar == req_q.ar);
      end
      assert (!req.ar.valid || !asked_q[read_t'(req.ar.id)]);
      // What induction needs. Writes: numbers and ring; what is sent.
      assert (count_t'(accepted_q - b_q) <= count_t'(Writes));
      assert (u_lines.u_write.tail_q == write_t'(accepted_q) && u_lines.u_write.head_q == write_t'(b_q) &&
              u_lines.u_write.next_q == write_t'(next));
      assert (next == count_t'(w_q - count_t'(u_lines.u_write.data_sent_q)) &&
              count_t'(next - b_q) <= count_t'(accepted_q - b_q));
      for (int i = 0; i < int'(Writes); i++) begin
        assert (u_lines.u_write.valid_q[write_t'(b_q + count_t'(i))] == (count_t'(i) < count_t'(accepted_q - b_q)));
        assert (u_lines.u_write.unsent_q[write_t'(b_q + count_t'(i))] ==
                (count_t'(i) < count_t'(accepted_q - b_q) && count_t'(i) >= count_t'(next - b_q)));
        if (u_lines.wr_valid[i]) assert (write_line_q[i] == u_lines.wr_line[i]);
      end
      assert (!(u_lines.u_write.addr_sent_q && u_lines.u_write.data_sent_q));
      if (u_lines.u_write.addr_sent_q || u_lines.u_write.data_sent_q) assert (u_lines.u_write.started_q);
      if (u_lines.u_write.started_q)
        assert (u_lines.u_write.unsent_q[u_lines.u_write.next_q] && u_lines.ahead_q[u_lines.u_write.next_q] == '0);
      if (u_lines.u_write.data_sent_q || !u_lines.u_write.started_q) assert (u_lines.u_write.beat_q == '0);
      // Reads: open ones are in one of three states.
      for (int i = 0; i < int'(Reads); i++) begin
        assert (open_q[i] == (u_lines.valid_q[i] && !u_lines.whole_q[i]));
        assert (!u_lines.whole_q[i] || u_lines.valid_q[i]);
        assert (32'(open_q[i]) == 32'(u_lines.unasked_q[i]) + 32'(u_lines.ar_valid_q && u_lines.ar_q == read_t'(i)) +
                32'(asked_q[i]));
        if (u_lines.valid_q[i]) assert (read_line_q[i] == u_lines.line_q[i]);
        if (open_q[i]) assert (beats_q[i] == u_lines.beat_q[i]);
      end
      // What is watched.
      if (read_q) assert (open_q[entry_q]);
      if (read_q && held_q) begin
        assert (u_lines.unasked_q[entry_q] && u_lines.behind_q[entry_q][write_t'(for_q)]);
        assert (count_t'(for_q - b_q) < count_t'(accepted_q - b_q));
      end
      if (wrote_q) assert (count_t'(number_q - b_q) < count_t'(accepted_q - b_q));
      if (wrote_q && late_q)
        assert (open_q[older_q] && u_lines.ahead_q[write_t'(number_q)][older_q] &&
                u_lines.u_write.unsent_q[write_t'(number_q)]);
`endif
`ifdef COVER
      cover (read_q && held_q && u_lines.unasked_q[entry_q]);
      cover (wrote_q && late_q && req.ar.valid);
      cover (aw && wrote_q);
      cover (ar && read_q);
`endif
    end
  end
endmodule
