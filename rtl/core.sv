// The core: an out-of-order RV64IMAC machine, CoreWidth instructions wide.
//
//   frontend | decode | rename + dispatch | issue | register read | execute / lsu | ... commit
//
// Rooms are instantiated in pipeline order. Every misprediction, trap and flush goes through squash_unit: one
// registered order (squash, redirect) that all rooms obey in the same cycle. The com_*, csr_write_* and trap_* signals
// tell the simulation's monitor, by name, what left the ROB.
module core
  import config_pkg::*;
  import instructions_pkg::*;
  import events_pkg::*;
  import core_pkg::*;
  import fp_pkg::*;
  import mmu_pkg::*;
  import records_pkg::*;
  import uop_pkg::*;
(
  input  logic clk_i,
  input  logic rst_ni,
  // miss ports
  output line_req_t imem_req_o,
  input  logic imem_ready_i,
  input  line_resp_t imem_resp_i,
  output line_req_t dmem_req_o,
  input  logic dmem_ready_i,
  input  line_resp_t dmem_resp_i,
  // devices
  output device_req_t device_req_o,
  input  logic device_ready_i,
  input  device_resp_t device_resp_i,
  input  machine_t machine_i,
  // profiling
  output commit_bundle_t bundle_o,
  output csr_req_t csr_ext_req_o,
  input  word_t csr_ext_rdata_i,
  input  logic lcofi_i,
  output logic [LaneBits:0] retired_o,
  output priv_e priv_o
);
  localparam int unsigned ExcSources = 2 + 2 * MemPorts;

  squash_t squash;
  redirect_t redirect;

  // ======== translation ========
  vm_t vm;
  pmp_region_t pmp [PmpRegions];
  logic system_tlb_flush, tlb_flush;
  walk_req_t fetch_walk_req, data_walk_req;
  logic fetch_walk_ready, data_walk_ready;
  walk_resp_t walk_resp;
  page_fault_t page_fault;
  fault_check_t fault_check;
  logic serial_amo, left;
  table_read_t table_read;
  table_data_t table_data;
  table_write_t table_write;
  logic table_write_done, stores_gone;

  translation u_translation (
    .clk_i, .rst_ni, .vm_i(vm), .pmp_i(pmp), .flush_i(system_tlb_flush), .tlb_flush_o(tlb_flush),
    .fetch_req_i(fetch_walk_req), .fetch_ready_o(fetch_walk_ready),
    .data_req_i(data_walk_req), .data_ready_o(data_walk_ready), .resp_o(walk_resp),
    .fault_i(page_fault), .amo_i(serial_amo), .interrupt_i(raise.irq), .left_i(left), .check_o(fault_check),
    .table_read_o(table_read), .table_data_i(table_data),
    .stores_gone_i(stores_gone), .table_write_o(table_write), .table_write_done_i(table_write_done)
  );

  // ======== fetch ========
  fetch_insn_t fetch_insn [CoreWidth];
  logic [CoreWidth-1:0] fetch_insn_valid, fetch_insn_take, com_valid;
  ftq_idx_t jalr_ftq, com_ftq;
  word_t jalr_next_pc, fetch_pc;
  logic fetch_valid;

  frontend u_frontend (
    .clk_i,
    .rst_ni,
    .redirect_i(redirect),
    .insn_o(fetch_insn),
    .insn_valid_o(fetch_insn_valid),
    .insn_take_i(fetch_insn_take),
    .ftq_read_idx_i(jalr_ftq),
    .ftq_read_next_pc_o(jalr_next_pc),
    .commit_valid_i(com_valid != '0),
    .commit_ftq_i(com_ftq),
    .vm_i(vm),
    .pmp_i(pmp),
    .tlb_flush_i(tlb_flush),
    .walk_req_o(fetch_walk_req),
    .walk_ready_i(fetch_walk_ready),
    .walk_resp_i(walk_resp),
    .imem_req_o,
    .imem_ready_i,
    .imem_resp_i,
    .fetch_valid_o(fetch_valid),
    .fetch_pc_o(fetch_pc)
  );

  // ======== decode ========
  logic [CoreWidth-1:0] dec_valid;
  decoded_t dec_uop [CoreWidth];
  logic [31:0] dec_imm [CoreWidth], dec_insn [CoreWidth];
  word_t dec_pc [CoreWidth];
  dispatch_t dis;

  fp_mode_t fp_mode;

  decode_stage u_decode_stage (
    .clk_i,
    .rst_ni,
    .fs_off_i(fp_mode.off),
    .frm_i(fp_mode.frm),
    .squash_i(squash.valid),
    .insn_i(fetch_insn),
    .insn_valid_i(fetch_insn_valid),
    .insn_take_o(fetch_insn_take),
    .valid_o(dec_valid),
    .uop_o(dec_uop),
    .imm_o(dec_imm),
    .pc_o(dec_pc),
    .insn_o(dec_insn),
    .fire_count_i(dis.count)
  );

  // ======== rename and dispatch ========
  logic rob_empty, serial_busy;
  raise_t raise;
  commit_t com;
  count_t rob_free;
  room_t want, full;
  place_t place [CoreWidth];
  int_uop_t dis_int [CoreWidth];
  mem_entry_t dis_mem [CoreWidth];
  fp_uop_t dis_fp [CoreWidth];
  ready_t ready;
  rob_info_t dis_info [CoreWidth];
  psv_t dis_psv [CoreWidth];
  wake_t wake [Wakes];
  retire_t retire [CoreWidth];
  resolve_t resolve [BranchPorts];
  snapshot_t squash_read_id;
  lq_idx_t squash_read_lq;
  sq_idx_t squash_read_sq;

  rename_stage u_rename_stage (
    .clk_i, .rst_ni, .squash_i(squash), .hold_i(raise.valid), .serial_busy_i(serial_busy),
    .valid_i(dec_valid), .uop_i(dec_uop),
    .want_o(want), .full_i(full), .rob_free_i(rob_free), .rob_empty_i(rob_empty), .place_i(place),
    .dis_o(dis), .int_o(dis_int), .mem_o(dis_mem), .fp_o(dis_fp), .ready_o(ready), .info_o(dis_info), .psv_o(dis_psv),
    .wake_i(wake), .retire_i(retire), .resolve_i(resolve),
    .read_id_i(squash_read_id), .read_lq_o(squash_read_lq), .read_sq_o(squash_read_sq)
  );

  rob_idx_t dis_rob [CoreWidth];
  lq_idx_t dis_lq [CoreWidth];
  sq_idx_t dis_sq [CoreWidth];
  for (genvar i = 0; i < CoreWidth; i++) begin : gen_place
    assign place[i] = '{rob: dis_rob[i], lq: dis_lq[i], sq: dis_sq[i]};
  end

  // ======== issue ========
  preg_t read_preg [Readers];
  word_t read_data [Readers];
  result_t write [Writers];
  wake_t int_wake [IntWakes];
  preg_t int_read [2*IntPorts], mem_ps1 [MemPorts], mem_ps2 [MemPorts];
  word_t mem_data1 [MemPorts], mem_data2 [MemPorts], csr_operand, csr_rdata;
  result_t int_write [IntWriters], mem_write [MemPorts];
  rob_ref_t int_done [IntDones];
  logic csr_valid;
  mem_uop_t mem_ex [MemPorts];
  logic [MemPorts-1:0] mem_hold;

  int_cluster u_int_cluster (
    .clk_i, .rst_ni, .squash_i(squash),
    .want_i(want.ints), .full_o(full.ints), .fire_i(dis.fire), .uop_i(dis_int), .pc_i(dec_pc), .imm_i(dec_imm), .ready_i(ready),
    .wake_i(wake), .wake_o(int_wake),
    .read_o(int_read), .data_i(read_data[0 +: 2*IntPorts]),
    .jalr_ftq_o(jalr_ftq), .next_pc_i(jalr_next_pc),
    .csr_valid_o(csr_valid), .csr_operand_o(csr_operand), .csr_rdata_i(csr_rdata),
    .write_o(int_write), .done_o(int_done), .resolve_o(resolve)
  );

  lanes_t load_waits;
  wait_table u_wait_table (
    .clk_i,
    .rst_ni,
    .pc_i(dec_pc),
    .waits_o(load_waits),
    .learn_i(raise.replay),
    .learn_pc_i(raise.epc)
  );

  mem_queue u_mem_queue (
    .clk_i,
    .rst_ni,
    .squash_i(squash),
    .want_i(want.mems),
    .full_o(full.mems),
    .fire_i(dis.fire),
    .uop_i(dis_mem),
    .imm_i(dec_imm),
    .ready1_i(ready.first),
    .ready2_i(ready.second),
    .waits_i(load_waits & want.loads),
    .wake_i(wake),
    .hold_i(mem_hold),
    .rr_ps1_o(mem_ps1),
    .rr_ps2_o(mem_ps2),
    .rr_data1_i(mem_data1),
    .rr_data2_i(mem_data2),
    .ex_uop_o(mem_ex)
  );

  // ======== floating point ========
  wake_t fp_wake [2*FpArrays+1];
  preg_t fp_read [3*FpArrays];
  word_t fp_data [3*FpArrays];
  result_t fp_write [2*FpArrays];
  rob_ref_t fp_done [2*FpArrays];
  fp_effect_t fp_effect;
  rob_idx_t head;

  fp_cluster u_fp_cluster (
    .clk_i, .rst_ni, .squash_i(squash),
    .want_i(want.fps), .full_o(full.fps), .fire_i(dis.fire), .uop_i(dis_fp), .ready_i(ready),
    .wake_i(wake), .wake_o(fp_wake),
    .read_o(fp_read), .data_i(fp_data), .frm_i(fp_mode.frm),
    .write_o(fp_write), .done_o(fp_done),
    .head_i(head), .retire_i(retire), .effect_o(fp_effect)
  );
  // ======== load/store unit ========
  mem_done_t load_done [MemPorts], store_done [MemPorts];
  logic viol_valid, nonspec_req, nonspec_gnt, sq_empty, clean, clean_done;
  rob_idx_t viol_rob, nonspec_rob;
  count_t com_loads, com_stores;

  lsu u_lsu (
    .clk_i,
    .rst_ni,
    .squash_i(squash),
    .dis_load_i(want.loads),
    .dis_store_i(want.stores),
    .dis_lq_o(dis_lq),
    .dis_sq_o(dis_sq),
    .dis_lq_full_o(full.loads),
    .dis_sq_full_o(full.stores),
    .dis_fire_i(dis.fire),
    .dis_rob_i(dis_rob),
    .ex_uop_i(mem_ex),
    .ex_hold_o(mem_hold),
    .vm_i(vm),
    .pmp_i(pmp),
    .tlb_flush_i(tlb_flush),
    .walk_req_o(data_walk_req),
    .walk_ready_i(data_walk_ready),
    .walk_resp_i(walk_resp),
    .table_read_i(table_read),
    .table_data_o(table_data),
    .table_write_i(table_write),
    .table_write_done_o(table_write_done),
    .load_done_o(load_done),
    .store_done_o(store_done),
    .viol_valid_o(viol_valid),
    .viol_rob_o(viol_rob),
    .com_loads_i(com_loads),
    .com_stores_i(com_stores),
    .nonspec_req_o(nonspec_req),
    .nonspec_rob_o(nonspec_rob),
    .nonspec_gnt_i(nonspec_gnt),
    .sq_empty_o(sq_empty),
    .stores_gone_o(stores_gone),
    .clean_i(clean),
    .clean_done_o(clean_done),
    .dmem_req_o,
    .dmem_ready_i,
    .dmem_resp_i,
    .device_req_o,
    .device_ready_i,
    .device_resp_i
  );

  // ======== register file: who has which port ========
  regfile u_regfile (.clk_i, .rst_ni, .read_i(read_preg), .data_o(read_data), .write_i(write));

  always_comb begin
    for (int p = 0; p < IntWakes; p++) wake[p] = int_wake[p];
    for (int p = 0; p < MemPorts; p++) wake[IntWakes+p] = '{valid: mem_write[p].valid, tag: mem_write[p].pd};
    if (HasFp) for (int p = 0; p < 2 * FpArrays + 1; p++) wake[IntWakes+MemPorts+p] = fp_wake[p];
  end

  always_comb begin
    for (int p = 0; p < IntWriters; p++) write[p] = int_write[p];
    for (int p = 0; p < MemPorts; p++) write[IntWriters+p] = mem_write[p];
    if (HasFp) for (int p = 0; p < 2 * FpArrays; p++) write[IntWriters+MemPorts+p] = fp_write[p];
  end

  always_comb begin
    for (int p = 0; p < MemPorts; p++)
      mem_write[p] = '{valid: load_done[p].valid && load_done[p].pd_valid && !load_done[p].exception,
                       pd: load_done[p].pd, data: load_done[p].data};
  end

  always_comb begin
    for (int r = 0; r < 2 * IntPorts; r++) read_preg[r] = int_read[r];
    for (int p = 0; p < MemPorts; p++) begin
      read_preg[2*(IntPorts+p)] = mem_ps1[p];
      read_preg[2*(IntPorts+p)+1] = mem_ps2[p];
    end
    if (HasFp) for (int r = 0; r < 3 * FpArrays; r++) read_preg[2*(IntPorts+MemPorts)+r] = fp_read[r];
  end

  for (genvar p = 0; p < MemPorts; p++) begin : gen_mem_data
    assign mem_data1[p] = read_data[2*(IntPorts+p)];
    assign mem_data2[p] = read_data[2*(IntPorts+p)+1];
  end
  for (genvar r = 0; r < 3 * FpArrays; r++) begin : gen_fp_data
    if (HasFp) begin : gen_on
      assign fp_data[r] = read_data[2*(IntPorts+MemPorts)+r];
    end else begin : gen_off
      assign fp_data[r] = '0;
    end
  end

  // ======== serial instructions and CSRs ========
  serial_start_t serial_start;
  rob_ref_t serial_done;
  exception_t serial_exception;
  irq_t irq;
  resume_t resume;
  logic flush;
  assign serial_start = '{valid: dis.serial, op: dec_uop[0].op, unit: dec_uop[0].unit, fault: dec_uop[0].fault,
                          insn: dec_insn[0], pc: dec_pc[0], rob: place[0].rob};

  system_unit u_system_unit (
    .clk_i, .rst_ni, .squash_i(squash),
    .start_i(serial_start), .busy_o(serial_busy), .amo_o(serial_amo),
    .csr_valid_i(csr_valid), .csr_operand_i(csr_operand), .csr_rdata_o(csr_rdata),
    .sq_empty_i(sq_empty), .clean_o(clean), .clean_done_i(clean_done),
    .done_o(serial_done), .exception_o(serial_exception),
    .irq_o(irq), .com_i(com), .raise_i(raise), .fp_effect_i(fp_effect), .resume_o(resume),
    .priv_o, .fp_mode_o(fp_mode), .vm_o(vm), .pmp_o(pmp), .tlb_flush_o(system_tlb_flush),
    .machine_i, .lcofi_i, .ext_req_o(csr_ext_req_o), .ext_rdata_i(csr_ext_rdata_i)
  );

  // ======== commit ========
  logic [Dones-1:0] done;
  rob_idx_t done_rob [Dones], event_rob [2*MemPorts];
  logic [2*MemPorts-1:0] event_valid;
  psv_t event_psv [2*MemPorts];
  exception_t exc_source [ExcSources], exception;

  always_comb begin
    for (int d = 0; d < IntDones; d++) begin
      done[d] = int_done[d].valid;
      done_rob[d] = int_done[d].rob;
    end
    done[IntDones] = serial_done.valid;
    done_rob[IntDones] = serial_done.rob;
    exc_source[0] = serial_exception;
    exc_source[1] = '{valid: viol_valid, rob: viol_rob, replay: 1'b1, cause: '0, tval: '0};
    for (int p = 0; p < MemPorts; p++) begin
      done[IntPorts+3+p] = load_done[p].valid;
      done_rob[IntPorts+3+p] = load_done[p].rob;
      done[IntPorts+3+MemPorts+p] = store_done[p].valid;
      done_rob[IntPorts+3+MemPorts+p] = store_done[p].rob;
      exc_source[2+p] = '{valid: load_done[p].valid && load_done[p].exception, rob: load_done[p].rob, replay: 1'b0,
                          cause: load_done[p].cause, tval: load_done[p].tval};
      exc_source[2+MemPorts+p] = '{valid: store_done[p].valid && store_done[p].exception, rob: store_done[p].rob,
                                   replay: 1'b0, cause: store_done[p].cause, tval: store_done[p].tval};
      event_valid[p] = load_done[p].valid && load_done[p].psv != '0;
      event_rob[p] = load_done[p].rob;
      event_psv[p] = load_done[p].psv;
      event_valid[MemPorts+p] = store_done[p].valid && store_done[p].psv != '0;
      event_rob[MemPorts+p] = store_done[p].rob;
      event_psv[MemPorts+p] = store_done[p].psv;
    end
    if (HasFp)
      for (int p = 0; p < 2 * FpArrays; p++) begin
        done[IntDones+1+2*MemPorts+p] = fp_done[p].valid;
        done_rob[IntDones+1+2*MemPorts+p] = fp_done[p].rob;
      end
  end

  exception_reg #(.Sources(ExcSources)) u_exception_reg (
    .clk_i, .rst_ni, .squash_i(squash), .source_i(exc_source), .exception_o(exception)
  );

  lanes_t age_pd_valid, com_fp;
  areg_t age_rd [CoreWidth];
  preg_t age_pd [CoreWidth], age_old [CoreWidth];
  logic [BranchPorts-1:0] resolve_mispredict;
  for (genvar p = 0; p < BranchPorts; p++) begin : gen_resolve
    assign resolve_mispredict[p] = resolve[p].mispredict;
  end
  for (genvar i = 0; i < CoreWidth; i++) begin : gen_retire
    assign retire[i] = '{pd_valid: age_pd_valid[i], rd: age_rd[i], pd: age_pd[i], old_pd: age_old[i], is_fp: com_fp[i]};
  end
  logic [CoreWidth-1:0] win_valid, win_done, win_mispredict;
  logic [LaneBits-1:0] oldest;
  word_t win_pc [CoreWidth];
  logic [31:0] win_insn [CoreWidth];
  rob_info_t win_info [CoreWidth];
  psv_t win_psv [CoreWidth];
  count_t com_count;

  rob u_rob (
    .clk_i,
    .rst_ni,
    .squash_i(squash),
    .dis_rob_o(dis_rob),
    .free_o(rob_free),
    .fire_i(dis.fire),
    .fire_count_i(dis.count),
    .pc_i(dec_pc),
    .insn_i(dec_insn),
    .info_i(dis_info),
    .psv_i(dis_psv),
    .done_i(done),
    .done_rob_i(done_rob),
    .mispredict_i(resolve_mispredict),
    .event_i(event_valid),
    .event_rob_i(event_rob),
    .event_psv_i(event_psv),
    .head_o(head),
    .empty_o(rob_empty),
    .oldest_o(oldest),
    .win_valid_o(win_valid),
    .win_done_o(win_done),
    .win_mispredict_o(win_mispredict),
    .win_pc_o(win_pc),
    .win_insn_o(win_insn),
    .win_info_o(win_info),
    .win_psv_o(win_psv),
    .commit_count_i(com_count),
    .clear_i(raise.valid || flush)
  );

  word_t next_pc;
  psv_t raise_psv;

  commit_ctrl u_commit_ctrl (
    .clk_i,
    .rst_ni,
    .head_i(head),
    .empty_i(rob_empty),
    .oldest_i(oldest),
    .valid_i(win_valid),
    .done_i(win_done),
    .mispredict_i(win_mispredict),
    .pc_i(win_pc),
    .info_i(win_info),
    .exception_i(exception),
    .squash_i(squash),
    .head_psv_i(win_psv[oldest]),
    .irq_i(irq.valid),
    .irq_cause_i(irq.cause),
    .serial_locked_i(irq.locked),
    .page_fault_o(page_fault.valid),
    .check_i(fault_check),
    .nonspec_req_i(nonspec_req),
    .nonspec_rob_i(nonspec_rob),
    .nonspec_gnt_o(nonspec_gnt),
    .commit_o(com_valid),
    .com_pd_valid_o(age_pd_valid),
    .com_rd_o(age_rd),
    .com_pd_o(age_pd),
    .com_old_o(age_old),
    .com_fp_o(com_fp),
    .count_o(com_count),
    .loads_o(com_loads),
    .stores_o(com_stores),
    .ftq_o(com_ftq),
    .flush_o(flush),
    .next_pc_o(next_pc),
    .raise_o(raise.valid),
    .interrupt_o(raise.irq),
    .replay_o(raise.replay),
    .cause_o(raise.cause),
    .tval_o(raise.tval),
    .epc_o(raise.epc),
    .raise_psv_o(raise_psv)
  );
  assign page_fault.cause = exception.cause;
  assign page_fault.tval = exception.tval;
  assign retired_o = (LaneBits + 1)'(com_count);
  assign com = '{any: com_valid != '0, count: com_count, loads: com_loads, stores: com_stores, ftq: com_ftq, flush: flush};

  assign left = com_valid != '0 || (raise.valid && !raise.replay);

  squash_unit u_squash_unit (
    .clk_i,
    .rst_ni,
    .all_i(raise.valid || flush),
    .all_rob_i(head),
    .all_pc_i(raise.replay ? raise.epc : raise.valid ? resume.trap_pc : resume.returns ? resume.return_pc : next_pc),
    .all_ftq_i(com_ftq),
    .all_invalidate_i(flush && resume.fence_i),
    .resolve_i(resolve),
    .read_id_o(squash_read_id),
    .read_lq_i(squash_read_lq),
    .read_sq_i(squash_read_sq),
    .squash_o(squash),
    .redirect_o(redirect)
  );

  // ======== what observers see ========
  /* verilator lint_off UNUSEDSIGNAL */  // for the monitor, by bank
  logic [CoreWidth-1:0] com_pd_valid, com_is_store, com_is_load;
  areg_t com_rd [CoreWidth];
  preg_t com_pd [CoreWidth];
  /* verilator lint_on UNUSEDSIGNAL */

  logic [CoreWidth-1:0] seen_mispredict;
  logic [CoreWidth-1:0][PsvBits-1:0] seen_psv;

  window_psv u_window_psv (
    .valid_i(win_valid),
    .done_i(win_done),
    .mispredict_i(win_mispredict),
    .psv_i(win_psv),
    .raise_i(raise.valid),
    .oldest_i(oldest),
    .raise_psv_i(raise_psv),
    .mispredict_o(seen_mispredict),
    .psv_o(seen_psv)
  );

  for (genvar b = 0; b < CoreWidth; b++) begin : gen_observe
    assign com_pd_valid[b] = win_info[b].pd_valid;
    assign com_is_store[b] = win_info[b].is_store;
    assign com_is_load[b] = win_info[b].is_load;
    assign com_rd[b] = win_info[b].rd;
    assign com_pd[b] = win_info[b].pd;

    always_comb begin
      bundle_o.valid[b] = win_valid[b];
      bundle_o.commit[b] = com_valid[b];
      bundle_o.mispredict[b] = seen_mispredict[b];
      bundle_o.flush[b] = win_valid[b] && win_info[b].flush;
      bundle_o.first[b] = win_valid[b];
      bundle_o.pc[b] = win_valid[b] ? win_pc[b] : '0;
      bundle_o.insn[b] = win_valid[b] ? win_insn[b] : '0;
      bundle_o.psv[b] = seen_psv[b];
      bundle_o.dispatch_valid[b] = dis.fire[b];
      bundle_o.dispatch_pc[b] = dec_valid[b] ? dec_pc[b] : '0;
    end
  end

  always_comb begin
    bundle_o.oldest = oldest;
    bundle_o.rob_empty = rob_empty;
    bundle_o.exception = raise.valid;
    bundle_o.interrupt = raise.irq;
    bundle_o.replay = raise.replay;
    bundle_o.cause = raise.valid && !raise.replay ? raise.cause : '0;
    bundle_o.exception_pc = raise.valid ? raise.epc : '0;
    bundle_o.exception_psv = raise.valid ? raise_psv : '0;
    bundle_o.redirect = redirect.valid;
    bundle_o.fetch_valid = fetch_valid;
    bundle_o.fetch_pc = fetch_pc;
    bundle_o.dispatch_rob = dis_rob[0];
  end
endmodule
