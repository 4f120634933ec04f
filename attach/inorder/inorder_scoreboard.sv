// Scoreboard: a ring of eight instructions in the order of age, from issue to commit, two commit ports at its head.
//
// Results come in any order and leave in order. A mispredicted branch cuts off what is younger at once. After a trap,
// or an instruction that flushes, the core gives back what the rest held entry by entry, the youngest first: until then
// the dead are still here, and nothing is issued.
module inorder_scoreboard
  import inorder_pkg::*;
(
  input  logic           clk_i,
  input  logic           rst_ni,
  input  logic [1:0]     issue_i,
  input  entry_t [1:0]   entry_i,
  input  done_t [3:0]    done_i,
  input  resolved_t      resolved_i,
  input  place_t         resolved_place_i,
  input  logic           interrupt_i,
  input  logic [5:0]     interrupt_cause_i,
  input  logic           csr_there_i,     // the oldest instruction's CSR
  input  logic           store_room_i,
  input  logic           stores_empty_i,
  output window_t        window_o,
  output logic           unwinding_o,
  output entry_t [1:0]   oldest_o,
  output logic [1:0]     retire_o,
  output logic [1:0]     flush_o,         // committing it throws away what is younger
  output logic           trap_o,
  output logic [5:0]     trap_cause_o,
  output logic           kill_o           // a trap, or a flush
);
  entry_t [Entries-1:0] entry_q;
  logic [Entries-1:0] done_q;
  tail_t head_q;
  logic [3:0] count_q;
  logic unwinding_q, alive, excepts;
  logic [1:0] done;
  entry_t [1:0] old;
  place_t second, resolved_age;

  assign second = head_q[2:0] + 3'd1;
  assign resolved_age = resolved_place_i - head_q[2:0];
  assign old = {entry_q[second], entry_q[head_q[2:0]]};
  assign done = {done_q[second], done_q[head_q[2:0]]};
  assign oldest_o = old;
  assign window_o = '{entry: entry_q, done: done_q, head: head_q, count: count_q};
  assign unwinding_o = unwinding_q;
  assign alive = count_q != '0 && !unwinding_q;

  always_comb begin
    case (old[0].kind)
      ILLEGAL, CSR: trap_cause_o = 6'd2;
      EBREAK: trap_cause_o = 6'd3;
      ECALL: trap_cause_o = 6'd11;
      LOAD: trap_cause_o = 6'd4;
      default: trap_cause_o = 6'd6;
    endcase
    excepts = old[0].fault || old[0].kind == ILLEGAL || old[0].kind == EBREAK || old[0].kind == ECALL ||
              (old[0].kind == CSR && !csr_there_i);
    if (interrupt_i) trap_cause_o = interrupt_cause_i;
    trap_o = alive && (interrupt_i || (done[0] && excepts));
    flush_o = {serial(old[1].kind), serial(old[0].kind)};
    retire_o[0] = alive && !trap_o && done[0] && (old[0].kind != STORE || store_room_i) &&
                  (old[0].kind != FENCE_I || stores_empty_i);
    retire_o[1] = retire_o[0] && !flush_o[0] && count_q > 4'd1 && done[1] && !flush_o[1] && !old[1].fault &&
                  old[1].kind != STORE;
    kill_o = trap_o || (retire_o[0] && flush_o[0]);
  end

  always_ff @(posedge clk_i) begin
    automatic logic [3:0] count;
    automatic tail_t tail;
    if (!rst_ni) begin
      head_q <= '0;
      count_q <= '0;
      unwinding_q <= 1'b0;
    end else begin
      tail = head_q + count_q;
      count = count_q - 4'(retire_o[0]) - 4'(retire_o[1]);
      head_q <= head_q + 4'(retire_o[0]) + 4'(retire_o[1]);
      for (int i = 0; i < 4; i++)
        if (done_i[i].valid) begin
          done_q[done_i[i].place] <= 1'b1;
          entry_q[done_i[i].place].result <= done_i[i].result;
          entry_q[done_i[i].place].address <= done_i[i].address;
          entry_q[done_i[i].place].mispredict <= done_i[i].mispredict;
          entry_q[done_i[i].place].fault <= done_i[i].fault;
        end
      if (unwinding_q) begin
        count = count_q - 4'd1;
        unwinding_q <= count != '0;
      end else if (kill_o) unwinding_q <= count != '0;
      else if (resolved_i.wrong) count = {1'b0, resolved_age} + 4'd1 - 4'(retire_o[0]) - 4'(retire_o[1]);
      for (int i = 0; i < 2; i++)
        if (issue_i[i]) begin
          entry_q[tail[2:0]] <= entry_i[i];
          done_q[tail[2:0]] <= 1'b0;
          tail = tail + 4'd1;
          count = count + 4'd1;
        end
      count_q <= count;
    end
  end
endmodule
