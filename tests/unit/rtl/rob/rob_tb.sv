// Reorder buffer, exception register and commit control, put together as in the core. Ports are flat and of fixed size;
// ROB indices are {wrap, index} with the index in bits 14:0.
module rob_tb
  import config_pkg::*;
  import events_pkg::*;
  import core_pkg::*;
  import uop_pkg::*;
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
  rob_idx_t dis_rob [CoreWidth], done_rob [Dones], head;
  mem_event_t events [MemEvents];
  count_t free, count, loads, stores;
  logic [CoreWidth-1:0] fire, win_valid, win_done, win_mispredict, commit, com_pd_valid;
  word_t pc [CoreWidth], win_pc [CoreWidth];
  logic [31:0] insn [CoreWidth], win_insn [CoreWidth];
  rob_info_t info [CoreWidth], win_info [CoreWidth];
  psv_t psv [CoreWidth], win_psv [CoreWidth], raise_psv;
  exception_t source [4], exception;
  logic [LaneBits-1:0] oldest;
  logic [CoreWidth-1:0] com_fp;
  areg_t com_rd [CoreWidth];
  preg_t com_pd [CoreWidth], com_old [CoreWidth];
  ftq_idx_t ftq;
  logic empty, raise, flush;

  always_comb begin
    squash = '0;
    squash.valid = squash_i;
    squash.all = squash_all_i;
    squash.rob = narrow(squash_rob_i);
    for (int i = 0; i < CoreWidth; i++) begin
      fire[i] = 32'(fire_count_i) > i;
      pc[i] = pc_i[i];
      insn[i] = insn_i[i];
      info[i] = '{rd: areg_t'(rd_i[i]), pd: preg_t'(pd_i[i]), old_pd: preg_t'(old_i[i]), pd_valid: flags_i[i][4],
                  is_load: flags_i[i][3], is_store: flags_i[i][2], is_fp: flags_i[i][5], flush: flags_i[i][1], rvc: flags_i[i][0],
                  ftq: ftq_idx_t'(ftq_i[i])};
      psv[i] = psv_t'(psv_i[i]);
    end
    for (int d = 0; d < Dones; d++) done_rob[d] = narrow(done_rob_i[d]);
    for (int p = 0; p < MemEvents; p++)
      events[p] = '{valid: event_i[p], rob: narrow(event_rob_i[p]), psv: psv_t'(event_psv_i[p])};
    for (int s = 0; s < 4; s++)
      source[s] = '{valid: exc_i[s], rob: narrow(exc_rob_i[s]), replay: exc_replay_i[s], cause: exc_cause_i[s],
                    tval: exc_tval_i[s]};
  end

  rob u_rob (
    .clk_i, .rst_ni, .squash_i(squash), .dis_rob_o(dis_rob), .free_o(free), .fire_i(fire),
    .fire_count_i(count_t'(fire_count_i)), .pc_i(pc), .insn_i(insn), .info_i(info), .psv_i(psv),
    .done_i(done_i[Dones-1:0]), .done_rob_i(done_rob), .mispredict_i(mispredict_i[BranchPorts-1:0]),
    .event_i(events), .head_o(head), .empty_o(empty),
    .oldest_o(oldest), .win_valid_o(win_valid), .win_done_o(win_done), .win_mispredict_o(win_mispredict),
    .win_pc_o(win_pc), .win_insn_o(win_insn), .win_info_o(win_info), .win_psv_o(win_psv), .commit_count_i(count),
    .clear_i(raise || flush)
  );

  exception_reg #(.Sources(4)) u_exception_reg (
    .clk_i, .rst_ni, .squash_i(squash), .source_i(source), .exception_o(exception)
  );

  commit_ctrl u_commit_ctrl (
    .clk_i, .rst_ni, .head_i(head), .empty_i(empty), .oldest_i(oldest), .valid_i(win_valid), .done_i(win_done),
    .mispredict_i(win_mispredict), .pc_i(win_pc), .info_i(win_info), .exception_i(exception), .squash_i(squash),
    .head_psv_i(win_psv[oldest]), .irq_i, .irq_cause_i, .serial_locked_i, .page_fault_o, .check_i(fault_check_t'(check_i)), .nonspec_req_i,
    .nonspec_rob_i(narrow(nonspec_rob_i)), .nonspec_gnt_o, .commit_o(commit), .com_pd_valid_o(com_pd_valid),
    .com_rd_o(com_rd), .com_pd_o(com_pd), .com_old_o(com_old), .com_fp_o(com_fp), .count_o(count), .loads_o(loads), .stores_o(stores),
    .ftq_o(ftq), .flush_o(flush), .next_pc_o, .raise_o(raise), .interrupt_o, .replay_o, .cause_o, .tval_o, .epc_o,
    .raise_psv_o(raise_psv)
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
      if (i < CoreWidth) begin
        dis_rob_o[i] = widen(dis_rob[LaneBits'(i)]);
        pc_o[i] = win_pc[LaneBits'(i)];
        insn_o[i] = win_insn[LaneBits'(i)];
        psv_o[i] = 16'(win_psv[LaneBits'(i)]);
        com_rd_o[i] = com_rd[LaneBits'(i)][4:0];
        com_pd_o[i] = 16'(com_pd[LaneBits'(i)]);
        com_old_o[i] = 16'(com_old[LaneBits'(i)]);
      end
    end
  assign free_o = 8'(free);
  assign head_o = widen(head);
  assign empty_o = empty;
  assign oldest_o = 8'(oldest);
  assign valid_o = 8'(win_valid);
  assign done_o = 8'(win_done);
  assign mispredict_o = 8'(win_mispredict);
  assign commit_o = 8'(commit);
  assign com_pd_valid_o = 8'(com_pd_valid);
  assign com_fp_o = 8'(com_fp);
  assign count_o = 8'(count);
  assign loads_o = 8'(loads);
  assign stores_o = 8'(stores);
  assign ftq_o = 16'(ftq);
  assign flush_o = flush;
  assign raise_o = raise;
  assign raise_psv_o = 16'(raise_psv);
  assign width_o = CoreWidth;
  assign entries_o = RobEntries;
  assign dones_o = Dones;
  assign branch_ports_o = BranchPorts;
  assign mem_events_o = MemEvents;
  assign ftq_entries_o = 1 << FtqBits;
  assign pregs_o = 1 << PregBits;
endmodule
