// Reorder buffer, exception register and commit control, put together as in the core. Ports are flat and of fixed size;
// ROB indices are {wrap, index} with the index in bits 14:0.
module rob_tb
  import config_pkg::*;
  import events_pkg::*;
  import core_pkg::*;
  import port_pkg::*;
  import decode_pkg::*;
  import rename_pkg::*;
  import rob_pkg::*;
  import commit_pkg::*;
(
  input  logic        clk_i,
  input  logic        rst_ni,
  output logic [31:0] width_o,
  output logic [31:0] entries_o,
  output logic [31:0] dones_o,
  output logic [31:0] branch_ports_o,
  output logic [31:0] mem_events_o,
  output logic [31:0] ftq_entries_o,
  output logic [31:0] pregs_o,
  input  logic        squash_i,
  input  logic        squash_all_i,
  input  logic [15:0] squash_rob_i,
  // dispatch
  output logic [15:0] dis_rob_o [8],
  output logic [7:0]  free_o,
  input  logic [7:0]  fire_count_i,
  input  logic [63:0] pc_i [8],
  input  logic [31:0] insn_i [8],
  input  logic [4:0]  rd_i [8],
  input  logic [15:0] pd_i [8],
  input  logic [15:0] old_i [8],
  input  logic [15:0] ftq_i [8],
  input  logic [5:0]  flags_i [8],     // is_fp, pd_valid, is_load, is_store, flush, rvc
  input  logic [15:0] psv_i [8],
  // completion
  input  logic [31:0] done_i,
  input  logic [15:0] done_rob_i [32],
  input  logic [7:0]  mispredict_i,
  input  logic [15:0] event_i,
  input  logic [15:0] event_rob_i [16],
  input  logic [15:0] event_psv_i [16],
  input  logic [3:0]  exc_i,
  input  logic [15:0] exc_rob_i [4],
  input  logic [3:0]  exc_replay_i,
  input  logic [5:0]  exc_cause_i [4],
  input  logic [63:0] exc_tval_i [4],
  input  logic        hold_i,
  input  logic        irq_i,
  input  logic [5:0]  irq_cause_i,
  input  logic        serial_locked_i,
  output logic        page_fault_o,
  input  logic [3:0]  check_i,         // hold, again, denied, locked
  input  logic        nonspec_req_i,
  input  logic [15:0] nonspec_rob_i,
  output logic        nonspec_gnt_o,
  // the oldest, by bank
  output logic [15:0] head_o,
  output logic        empty_o,
  output logic [7:0]  oldest_o,
  output logic [7:0]  valid_o,
  output logic [7:0]  done_o,
  output logic [7:0]  mispredict_o,
  output logic [63:0] pc_o [8],
  output logic [31:0] insn_o [8],
  output logic [15:0] psv_o [8],
  output logic [7:0]  commit_o,
  // by age
  output logic [7:0]  com_pd_valid_o,
  output logic [4:0]  com_rd_o [8],
  output logic [15:0] com_pd_o [8],
  output logic [15:0] com_old_o [8],
  output logic [7:0]  com_fp_o,
  output logic [7:0]  count_o,
  output logic [7:0]  loads_o,
  output logic [7:0]  stores_o,
  output logic [15:0] ftq_o,
  output logic        flush_o,
  output logic [63:0] next_pc_o,
  output logic        raise_o,
  output logic        interrupt_o,
  output logic        replay_o,
  output logic [5:0]  cause_o,
  output logic [63:0] tval_o,
  output logic [63:0] epc_o,
  output logic [15:0] raise_psv_o
);
  function automatic rob_idx_t narrow(input logic [15:0] wide);
    narrow = '{wrap: wide[15], idx: wide[RobIdxBits-2:0]};
  endfunction
  function automatic logic [15:0] widen(input rob_idx_t rob);
    widen = {rob.wrap, 15'(rob.idx)};
  endfunction

  squash_t squash;
  rob_idx_t done_rob [Dones], head;
  mem_event_t events [MemEvents];
  rob_room_t room;
  logic [CoreWidth-1:0] fire, commit;
  window_t window [CoreWidth];
  retire_t retire [CoreWidth];
  commit_t com;
  raise_t raised;
  word_t pc [CoreWidth];
  logic [31:0] insn [CoreWidth];
  rob_entry_t entry [CoreWidth];
  psv_t raise_psv;
  exception_t source [4], exception;
  logic [LaneBits-1:0] oldest;

  always_comb begin
    squash = '0;
    squash.valid = squash_i;
    squash.all = squash_all_i;
    squash.rob = narrow(squash_rob_i);
    for (int i = 0; i < CoreWidth; i++) begin
      fire[i] = 32'(fire_count_i) > i;
      pc[i] = pc_i[i];
      insn[i] = insn_i[i];
      entry[i].info = '{rd: areg_t'(rd_i[i]), pd: preg_t'(pd_i[i]), old_pd: preg_t'(old_i[i]), pd_valid: flags_i[i][4],
                  is_load: flags_i[i][3], is_store: flags_i[i][2], is_fp: flags_i[i][5], flush: flags_i[i][1],
                  rvc: flags_i[i][0], ftq: ftq_idx_t'(ftq_i[i])};
      entry[i].psv = psv_t'(psv_i[i]);
    end
    for (int d = 0; d < Dones; d++) done_rob[d] = narrow(done_rob_i[d]);
    for (int p = 0; p < MemEvents; p++)
      events[p] = '{valid: event_i[p], rob: narrow(event_rob_i[p]), psv: psv_t'(event_psv_i[p])};
    for (int s = 0; s < 4; s++)
      source[s] = '{valid: exc_i[s], rob: narrow(exc_rob_i[s]), replay: exc_replay_i[s], cause: exc_cause_i[s],
                    tval: exc_tval_i[s]};
  end

  rob u_rob (
    .clk_i, .rst_ni, .squash_i(squash), .room_o(room), .fire_i(fire),
    .fire_count_i(count_t'(fire_count_i)), .pc_i(pc), .insn_i(insn), .entry_i(entry),
    .done_i(done_i[Dones-1:0]), .done_rob_i(done_rob), .mispredict_i(mispredict_i[BranchPorts-1:0]),
    .event_i(events), .keep_i(1'b1), .head_o(head),
    .oldest_o(oldest), .window_o(window), .commit_count_i(com.count), .clear_i(raised.valid || com.flush)
  );

  exception_reg #(.Sources(4)) u_exception_reg (
    .clk_i, .rst_ni, .squash_i(squash), .source_i(source), .exception_o(exception)
  );

  commit_ctrl u_commit_ctrl (
    .clk_i, .rst_ni, .head_i(head), .empty_i(room.empty), .oldest_i(oldest), .window_i(window), .exception_i(exception),
    .hold_i, .squash_i(squash), .irq_i('{valid: irq_i, cause: irq_cause_i, locked: serial_locked_i}), .page_fault_o,
    .check_i(fault_check_t'(check_i)), .nonspec_i('{valid: nonspec_req_i, rob: narrow(nonspec_rob_i)}),
    .commit_o(commit), .retire_o(retire), .com_o(com), .next_pc_o, .raise_o(raised), .raise_psv_o(raise_psv)
  );

  always_comb
    for (int i = 0; i < 8; i++) begin
      dis_rob_o[i] = '0;
      pc_o[i] = '0;
      insn_o[i] = '0;
      psv_o[i] = '0;
      com_rd_o[i] = '0;
      com_pd_o[i] = '0;
      com_old_o[i] = '0;
      {valid_o[i], done_o[i], mispredict_o[i], com_pd_valid_o[i], com_fp_o[i]} = '0;
      if (i < CoreWidth) begin
        dis_rob_o[i] = widen(room.place[LaneBits'(i)]);
        pc_o[i] = window[LaneBits'(i)].pc;
        insn_o[i] = window[LaneBits'(i)].insn;
        psv_o[i] = 16'(window[LaneBits'(i)].psv);
        valid_o[i] = window[LaneBits'(i)].valid;
        done_o[i] = window[LaneBits'(i)].done;
        mispredict_o[i] = window[LaneBits'(i)].mispredict;
        com_pd_valid_o[i] = retire[LaneBits'(i)].pd_valid;
        com_fp_o[i] = retire[LaneBits'(i)].is_fp;
        com_rd_o[i] = retire[LaneBits'(i)].rd[4:0];
        com_pd_o[i] = 16'(retire[LaneBits'(i)].pd);
        com_old_o[i] = 16'(retire[LaneBits'(i)].old_pd);
      end
    end
  assign free_o = 8'(room.free);
  assign head_o = widen(head);
  assign empty_o = room.empty;
  assign oldest_o = 8'(oldest);
  assign commit_o = 8'(commit);
  assign count_o = 8'(com.count);
  assign loads_o = 8'(com.memory.loads);
  assign stores_o = 8'(com.memory.stores);
  assign ftq_o = 16'(com.ftq);
  assign nonspec_gnt_o = com.memory.nonspec;
  assign flush_o = com.flush;
  assign raise_o = raised.valid;
  assign interrupt_o = raised.irq;
  assign replay_o = raised.replay;
  assign cause_o = raised.cause;
  assign tval_o = raised.tval;
  assign epc_o = raised.epc;
  assign raise_psv_o = 16'(raise_psv);
  assign width_o = CoreWidth;
  assign entries_o = RobEntries;
  assign dones_o = Dones;
  assign branch_ports_o = BranchPorts;
  assign mem_events_o = MemEvents;
  assign ftq_entries_o = 1 << FtqBits;
  assign pregs_o = 1 << PregBits;
endmodule
