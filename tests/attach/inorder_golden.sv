// What the unit must sample on the in-order core, in every cycle, worked out a second time: from what the core issues,
// cuts off, retires and traps, without the adapter, its probe and the bundle. Enabled by the environment variable
// TIPOFF_GOLDEN.
//
// A list in the order of age, moved up when the oldest leave. Flushing instructions are recognized by their bits.
module inorder_golden
  import records_pkg::*;
  import events_pkg::*;
  import inorder_pkg::*;
(
  input logic         clk_i,
  input logic         rst_ni,
  input logic [1:0]   issue_i,
  input entry_t [1:0] entry_i,       // pc and insn of what is issued
  input logic         first_missed_i, // the packet's first instruction came after a miss
  input logic [1:0]   packet_i,
  input logic         cut_i,         // what is younger than the branch at cut_pc_i is gone
  input word_t        cut_pc_i,
  input logic         load_missed_i, // of the oldest load that is in flight
  input logic [1:0]   retire_i,
  input logic         trap_i,
  input sample_t      sample_i
);
  typedef struct packed {
    word_t pc;
    logic flush, wrong, load;
    psv_t psv;
  } one_t;
  import "DPI-C" function string tipoff_environment(input string name);
  logic enabled, wordy;
  initial enabled = tipoff_environment("TIPOFF_GOLDEN") != "";
  initial wordy = $test$plusargs("golden") != 0;  // as generated Verilog does: the model has to stand it
  always_ff @(posedge clk_i) if (wordy) $display("golden: %0d compared", compared_q);

  one_t list_q [Entries];
  logic [3:0] count_q;
  one_t left_q;               // the last that left
  logic left_valid_q, trapped_q;
  longint unsigned compared_q;

  function automatic logic flushes(input logic [31:0] insn);
    flushes = insn[6:0] == 7'h73 || (insn[6:0] == 7'h0f && insn[14:12] == 3'd1);
  endfunction

  sample_t due;
  one_t now [Entries];        // with what this cycle finds out
  always_comb begin
    automatic logic found;
    found = 1'b0;
    for (int i = 0; i < Entries; i++) begin
      now[i] = list_q[i];
      if (4'(i) < count_q && load_missed_i && now[i].load && !found) begin
        now[i].psv[EvStL1] = 1'b1;
        found = 1'b1;
      end
    end
    due = '0;
    due.priv = 2'd3;
    if (retire_i != '0) begin
      due.state = STATE_COMPUTING;
      for (int i = 0; i < 2; i++)
        if (i < $countones(retire_i)) begin
          due.valid[i] = 1'b1;
          due.addr[i] = now[i].pc;
          due.psv[i] = now[i].psv;
        end
    end else if (count_q != '0) begin
      due.state = STATE_STALLED;
      due.valid[0] = 1'b1;
      due.addr[0] = now[0].pc;
      due.psv[0] = now[0].psv | (trap_i ? psv_t'(1) << EvFlEx : '0);
    end else if (left_valid_q && (left_q.flush || left_q.wrong || trapped_q)) begin
      due.state = STATE_FLUSHED;
      due.valid[0] = 1'b1;
      due.addr[0] = left_q.pc;
      due.psv[0] = left_q.psv;
      due.exception = trapped_q;
      due.flush = left_q.flush && !trapped_q;
      due.mispredict = left_q.wrong && !trapped_q;
    end else due.state = STATE_DRAINED;
  end

  always_ff @(posedge clk_i) begin
    automatic logic [3:0] count;
    automatic int gone;
    automatic one_t list [Entries];
    if (!rst_ni) begin
      count_q <= '0;
      left_valid_q <= 1'b0;
      compared_q <= '0;
    end else begin
      if (enabled) begin
        compared_q <= compared_q + 64'd1;
        Golden: assert (sample_i == due)
        else
          $fatal(1, "golden: cycle %0d: state %0d pc %h psv %h due, %0d %h %h is sampled", compared_q, due.state,
                 due.addr[0], due.psv[0],
                    sample_i.state, sample_i.addr[0], sample_i.psv[0]);
      end
      count = count_q;
      list = now;
      gone = $countones(retire_i);
      if (gone != 0) begin
        left_q <= now[gone-1];
        {left_valid_q, trapped_q} <= 2'b10;
      end
      for (int i = 0; i < Entries; i++) if (i + gone < Entries) list[i] = now[i+gone];
      count = count - 4'(gone);
      if (trap_i) begin
        left_q <= now[0];
        left_q.psv <= now[0].psv | psv_t'(1) << EvFlEx;
        {left_valid_q, trapped_q} <= 2'b11;
        count = '0;
      end else if (gone != 0 && now[gone-1].flush) count = '0;
      else if (cut_i) begin
        automatic logic [3:0] keep;
        keep = '0;
        for (int i = 0; i < Entries; i++) if (4'(i) < count && list[i].pc == cut_pc_i) keep = 4'(i) + 4'd1;
        count = keep;
        list[keep[2:0] - 3'd1].wrong = 1'b1;
        list[keep[2:0] - 3'd1].psv[EvFlMb] = 1'b1;
      end
      for (int i = 0; i < 2; i++)
        if (issue_i[i]) begin
          list[count[2:0]] = '{pc: entry_i[i].pc, flush: flushes(entry_i[i].insn), wrong: 1'b0,
                               load: entry_i[i].insn[6:0] == 7'h03,
                               psv: first_missed_i && (i == 0 || !packet_i[0]) ? psv_t'(1) << EvDrL1 : '0};
          count = count + 4'd1;
        end
      list_q <= list;
      count_q <= count;
    end
  end

  final if (enabled) $display("golden: %0d cycles agree", compared_q);
endmodule
