// Lines on their way to memory as AXI4 bursts: a queue of Entries, sent in order under one ID, each kept until its B.
//
//   push -> tail ... [ sent, waits for B ] head ... next [ AW and eight W ] ... tail
//
// order_i holds an entry's AW back: an older read of its line has not been answered. W follows or goes beside its AW.
module axi_write
  import core_pkg::*;
  import line_pkg::*;
  import bus_pkg::*;
#(
  parameter int unsigned Entries = 4
) (
  input  logic                clk_i,
  input  logic                rst_ni,
  input  logic                push_i,       // where room_o
  input  logic [57:0]         line_i,
  input  logic [LineBits-1:0] data_i,
  output logic                room_o,
  // entries: in order of acceptance from head_o on
  output logic [Entries-1:0]  valid_o,      // without its B
  output logic [$clog2(Entries)-1:0] tail_o,
  output logic [57:0]         line_o [Entries],
  output logic [Entries-1:0]  done_o,       // its B is here
  output bus_error_t          error_o,      // ... and reports a failed write
  input  logic [Entries-1:0]  order_i,
  // channels
  output axi_a_t              aw_o,
  input  logic                aw_ready_i,
  output axi_w_t              w_o,
  input  logic                w_ready_i,
  input  axi_b_t              b_i
);
  localparam int unsigned IdxBits = $clog2(Entries);
  localparam int unsigned Beats = LineBytes / BusBytes;
  typedef logic [IdxBits-1:0] idx_t;

  logic [LineBits-1:0] data_q [Entries];
  logic [57:0] line_q [Entries];
  idx_t head [2], next [2], tail [2], head_q, next_q, tail_q;
  logic [Entries-1:0] valid_q, unsent_q;
  logic started_q, addr_sent_q, data_sent_q;  // of entry next_q; started: its AW has been offered
  logic [2:0] beat_q;
  logic active, sent, addr_taken, data_taken;

  assign head_q = head[0];
  assign next_q = next[0];
  assign tail_q = tail[0];
  ring_ptr #(.Size(Entries), .Wrap(1'b0)) u_head (
    .clk_i, .rst_ni, .put_i(1'b0), .put_at_i('0), .step_i(b_i.valid), .at_o(head)
  );
  ring_ptr #(.Size(Entries), .Wrap(1'b0)) u_next (
    .clk_i, .rst_ni, .put_i(1'b0), .put_at_i('0), .step_i(sent), .at_o(next)
  );
  ring_ptr #(.Size(Entries), .Wrap(1'b0)) u_tail (
    .clk_i, .rst_ni, .put_i(1'b0), .put_at_i('0), .step_i(push_i), .at_o(tail)
  );

  assign room_o = !(&valid_q);
  assign valid_o = valid_q;
  assign line_o = line_q;
  assign tail_o = tail_q;
  assign done_o = b_i.valid ? Entries'(1) << head_q : '0;
  assign error_o = '{valid: b_i.valid && b_i.resp[1], write: 1'b1, insn: 1'b0, addr: {line_q[head_q], 6'd0}};

  assign active = unsent_q[next_q] && (started_q || !order_i[next_q]);
  assign addr_taken = addr_sent_q || (aw_o.valid && aw_ready_i);
  assign data_taken = data_sent_q || (w_o.valid && w_ready_i && w_o.last);
  assign sent = active && addr_taken && data_taken;

  assign aw_o = '{
    valid: active && !addr_sent_q, id: '0, addr: {line_q[next_q], 6'd0}, len: 8'(Beats - 1), size: 3'($clog2(BusBytes)),
    burst: BurstIncr, cache: CacheWriteBack, prot: ProtData
  };
  assign w_o = '{
    valid: active && !data_sent_q, data: data_q[next_q][BusBits*beat_q+:BusBits], strb: '1,
    last: beat_q == 3'(Beats - 1)
  };

  always_ff @(posedge clk_i) begin
    if (!rst_ni) begin
      valid_q <= '0;
      unsent_q <= '0;
      started_q <= 1'b0;
      addr_sent_q <= 1'b0;
      data_sent_q <= 1'b0;
      beat_q <= '0;
    end else begin
      if (push_i) begin
        valid_q[tail_q] <= 1'b1;
        unsent_q[tail_q] <= 1'b1;
      end
      if (b_i.valid) valid_q[head_q] <= 1'b0;
      started_q <= active && !sent;
      addr_sent_q <= active && !sent && addr_taken;
      data_sent_q <= active && !sent && data_taken;
      if (w_o.valid && w_ready_i) beat_q <= beat_q + 3'd1;
      if (sent) unsent_q[next_q] <= 1'b0;
    end
  end

  always_ff @(posedge clk_i)
    if (push_i) begin
      line_q[tail_q] <= line_i;
      data_q[tail_q] <= data_i;
    end

  `include "assert.svh"
  `ASSERT(NoOverflow, !push_i || room_o)
  `ASSERT(ResponseExpected, !b_i.valid || (valid_q[head_q] && !unsent_q[head_q]))
endmodule
