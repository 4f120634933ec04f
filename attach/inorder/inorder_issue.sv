// Issue: the instructions of the oldest packet, in order, each when its operands are available: from the scoreboard's
// youngest writer, from what is executed in this cycle, or from the register file. What is issued is in the scoreboard
// in the next cycle.
module inorder_issue
  import inorder_pkg::*;
(
  input  logic            clk_i,
  input  logic            rst_ni,
  input  logic            blocked_i,   // redirected, or the scoreboard unwinds
  input  logic            redirect_i,
  input  logic            packet_valid_i,
  input  packet_t         packet_i,
  output logic            packet_done_o,
  input  window_t         window_i,
  input  done_t [1:0]     done_i,      // executed in this cycle
  input  word_t           regs_i [32],
  input  logic            long_busy_i, // multiplier, divider
  input  logic            load_busy_i,
  output logic [1:0]      waiting_o,   // slots of the packet that are still here
  output logic [1:0]      issue_o,
  output execute_t [1:0]  execute_o,
  output entry_t [1:0]    entry_o
);
  typedef struct packed {
    logic ready;
    word_t value;
  } operand_t;
  logic first_gone_q;  // of the packet's two
  decoded_t d [2];

  function automatic operand_t look_up(input logic reads, input logic [4:0] rs);
    place_t place;
    logic found;
    found = 1'b0;
    place = '0;
    for (int k = 0; k < Entries; k++) begin
      automatic place_t p;
      p = window_i.head[2:0] + 3'(k);
      if (4'(k) < window_i.count && window_i.entry[p].writes && window_i.entry[p].rd == rs) begin
        found = 1'b1;
        place = p;
      end
    end
    look_up = '{ready: 1'b1, value: regs_i[rs]};
    if (rs == '0) look_up.value = '0;
    else if (found) begin
      look_up = '{ready: window_i.done[place], value: window_i.entry[place].result};
      for (int j = 0; j < 2; j++)
        if (done_i[j].valid && done_i[j].place == place) look_up = '{ready: 1'b1, value: done_i[j].result};
    end
    if (!reads) look_up.ready = 1'b1;
  endfunction

  always_comb begin
    automatic logic stop, serials, stores, transfers, memory, long;
    automatic operand_t a, b;
    automatic logic [3:0] count;
    serials = 1'b0;
    stores = 1'b0;
    for (int k = 0; k < Entries; k++) begin
      automatic place_t p;
      p = window_i.head[2:0] + 3'(k);
      serials |= 4'(k) < window_i.count && serial(window_i.entry[p].kind);
      stores |= 4'(k) < window_i.count && window_i.entry[p].kind == STORE;
    end
    stop = blocked_i || serials;
    transfers = 1'b0;
    memory = 1'b0;
    long = 1'b0;
    count = window_i.count;
    waiting_o = packet_valid_i ? packet_i.valid & {1'b1, !first_gone_q} : '0;
    issue_o = '0;
    execute_o = '0;
    entry_o = '0;
    for (int i = 0; i < 2; i++) begin
      d[i] = decode(packet_i.insn[i]);
      a = look_up(d[i].reads1, d[i].rs1);
      b = look_up(d[i].reads2, d[i].rs2);
      execute_o[i] = '{valid: 1'b0, place: window_i.head[2:0] + 3'(count), pc: packet_i.pc + 64'(4 * i), d: d[i],
                       a: a.value, b: b.value, taken: packet_i.taken && (i == 1 || !packet_i.valid[1]),
                       target: packet_i.target};
      entry_o[i] = '{kind: d[i].kind, op: d[i].op, writes: d[i].writes, rd: d[i].rd, pc: execute_o[i].pc,
                     insn: packet_i.insn[i], result: '0, address: '0, mispredict: 1'b0, fault: 1'b0};
      if (waiting_o[i] && !stop) begin
        stop = !a.ready || !b.ready || count == 4'(Entries) ||
               (i == 1 && issue_o[0] && d[0].writes &&
                ((d[1].reads1 && d[1].rs1 == d[0].rd) || (d[1].reads2 && d[1].rs2 == d[0].rd))) ||
               ((d[i].kind == BRANCH || d[i].kind == JUMP) && transfers) ||
               ((d[i].kind == MUL || d[i].kind == DIV) && (long || long_busy_i)) ||
               ((d[i].kind == LOAD || d[i].kind == STORE) && memory) ||
               (d[i].kind == LOAD && (load_busy_i || stores));
        if (!stop) begin
          issue_o[i] = 1'b1;
          execute_o[i].valid = 1'b1;
          count = count + 4'd1;
          transfers |= d[i].kind == BRANCH || d[i].kind == JUMP;
          memory |= d[i].kind == LOAD || d[i].kind == STORE;
          long |= d[i].kind == MUL || d[i].kind == DIV;
          stop = serial(d[i].kind);
        end
      end
    end
    packet_done_o = packet_valid_i && waiting_o == issue_o && !redirect_i;
  end

  always_ff @(posedge clk_i) begin
    if (!rst_ni || redirect_i || packet_done_o) first_gone_q <= 1'b0;
    else if (issue_o[0]) first_gone_q <= 1'b1;
  end
endmodule
