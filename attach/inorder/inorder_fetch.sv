// Front end: eight aligned bytes a cycle from a direct-mapped instruction cache of 4 KiB, predicted, to a queue of four
// packets.
//
// A redirect drops the queue. jal goes where it says; branches by two-bit counters; jalr where it went last.
module inorder_fetch
  import inorder_pkg::*;
(
  input  logic         clk_i,
  input  logic         rst_ni,
  input  word_t        reset_pc_i,
  input  logic         redirect_i,
  input  word_t        redirect_pc_i,
  input  logic         invalidate_i,    // fence.i
  input  resolved_t    resolved_i,
  output logic         miss_o,          // wants miss_line_o, until fill_i
  output word_t        miss_line_o,
  input  logic         fill_i,
  input  logic [511:0] fill_data_i,
  output logic         valid_o,         // a packet
  output packet_t      packet_o,
  input  logic         ready_i,         // ... that goes
  output logic         fetched_o,       // one enters the queue
  output word_t        fetched_pc_o
);
  localparam int unsigned Lines = 64, Packets = 4;
  logic [511:0] line_q [Lines];
  logic [51:0] tag_q [Lines];
  logic [Lines-1:0] valid_q;
  logic [255:0][1:0] counter_q;
  word_t target_q [64];
  packet_t queue_q [Packets];
  logic [1:0] head_q, tail_q;
  logic [2:0] count_q;
  word_t pc_q;
  logic filling_q, missed_q;
  word_t filling_line_q;
  packet_t packet;
  logic hit, push;
  word_t next;

  assign hit = valid_q[pc_q[11:6]] && tag_q[pc_q[11:6]] == pc_q[63:12];
  assign push = hit && count_q != 3'(Packets) && !redirect_i;
  assign miss_o = filling_q;
  assign miss_line_o = filling_line_q;
  assign valid_o = count_q != '0;
  assign packet_o = queue_q[head_q];
  assign fetched_o = push;
  assign fetched_pc_o = pc_q;

  always_comb begin
    automatic decoded_t d;
    automatic word_t at;
    automatic logic [511:0] line;
    automatic logic taken;
    automatic word_t target;
    line = line_q[pc_q[11:6]];
    packet = '{valid: {1'b1, !pc_q[2]}, pc: {pc_q[63:3], 3'd0}, insn: line[{pc_q[5:3], 6'd0}+:64], taken: 1'b0,
               target: '0, missed: missed_q};
    next = {pc_q[63:3] + 61'd1, 3'd0};
    for (int i = 0; i < 2; i++) begin
      d = decode(packet.insn[i]);
      at = packet.pc + 64'(4 * i);
      taken = d.kind == JUMP || (d.kind == BRANCH && counter_q[at[9:2]][1]);
      target = d.kind == JUMP && !d.from_pc ? target_q[at[7:2]] : at + d.imm;
      if (packet.valid[i] && taken && !packet.taken) begin
        packet.taken = 1'b1;
        packet.target = target;
        if (i == 0) packet.valid[1] = 1'b0;
        next = target;
      end
    end
  end

  always_ff @(posedge clk_i) begin
    automatic logic [7:0] c;
    if (!rst_ni) begin
      valid_q <= '0;
      counter_q <= {256{2'b01}};
      head_q <= '0;
      tail_q <= '0;
      count_q <= '0;
      pc_q <= reset_pc_i;
      filling_q <= 1'b0;
      missed_q <= 1'b0;
      for (int i = 0; i < 64; i++) target_q[i] <= '0;
    end else begin
      if (redirect_i) begin
        pc_q <= redirect_pc_i;
        head_q <= '0;
        tail_q <= '0;
        count_q <= '0;
        missed_q <= 1'b0;
      end else begin
        if (push) begin
          pc_q <= next;
          queue_q[tail_q] <= packet;
          tail_q <= tail_q + 2'd1;
          missed_q <= 1'b0;
        end
        if (ready_i) head_q <= head_q + 2'd1;
        count_q <= count_q + 3'(push) - 3'(ready_i);
        if (!hit) missed_q <= 1'b1;
      end
      if (fill_i) begin
        filling_q <= 1'b0;
        line_q[filling_line_q[11:6]] <= fill_data_i;
        tag_q[filling_line_q[11:6]] <= filling_line_q[63:12];
        valid_q[filling_line_q[11:6]] <= 1'b1;
      end else if (!filling_q && !hit && !redirect_i) begin
        filling_q <= 1'b1;
        filling_line_q <= {pc_q[63:6], 6'd0};
        valid_q[pc_q[11:6]] <= 1'b0;
      end
      if (invalidate_i) valid_q <= '0;
      c = resolved_i.pc[9:2];
      if (resolved_i.valid && resolved_i.computed) target_q[resolved_i.pc[7:2]] <= resolved_i.target;
      else if (resolved_i.valid) begin
        if (resolved_i.taken && counter_q[c] != 2'd3) counter_q[c] <= counter_q[c] + 2'd1;
        if (!resolved_i.taken && counter_q[c] != 2'd0) counter_q[c] <= counter_q[c] - 2'd1;
      end
    end
  end
endmodule
