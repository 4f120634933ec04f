// The core: an out-of-order RV64IMAFDC machine with S-mode and virtual memory, CoreWidth instructions wide.
//
//                                                +--> int_cluster --------+
//   frontend --> decode_stage --> rename_stage --+--> mem_queue --> lsu --+--> regfile, wakes
//     ^   ^                            |         +--> fp_cluster -----|---+
//     |   +--> translation <-----------|------------------------------+   | completions, exceptions
//     |                                v                                  |
//     +-- squash_unit <---------- commit_stage <--------------------------+
//                                     | ^
//                                 system_unit: serial instructions, CSRs
//
// Units are instantiated in pipeline order, each with a line for each group of its ports. Every misprediction, trap and
// flush goes through squash_unit: one registered order (squash, redirect) that all units obey in the same cycle. What
// leaves goes out as one record (retire_port); the simulation's pipeline view reads signals of the units by name.
module core
  import config_pkg::*;
  import core_pkg::*;
  import line_pkg::*;
  import instructions_pkg::*;
  import events_pkg::*;
  import mmu_pkg::*;
  import records_pkg::*;
  import port_pkg::*;
  import decode_pkg::*;
  import rename_pkg::*;
  import dispatch_pkg::*;
  import issue_pkg::*;
  import serial_pkg::*;
  import csr_effect_pkg::*;
  import rob_pkg::*;
  import commit_pkg::*;
  import rvfi_pkg::*;
  import life_pkg::*;
(
  input  logic clk_i, rst_ni,
  output memory_out_t memory_o,
  input  memory_in_t memory_i,
  output hub_pkg::hub_out_t hub_o,        // of the data cache, with harts.coherent; memory_i.data.ready takes requests
  input  hub_pkg::hub_in_t hub_i,
  input  machine_t machine_i,
  // tied by the platform
  input  word_t reset_pc_i,
  input  region_t region_i [Regions],
  // profiling
  output commit_bundle_t bundle_o,
  input  logic reads_i,                   // who reads it reads vectors, or will soon (profile.vector_window)
  output profile_pkg::stale_t stale_o,
  output profile_pkg::coherence_t coherence_o,  // with harts.coherent; what the tile's port sees is not in it
  output lost_store_t lost_o,
  // observation: what leaves
  output rvfi_t rvfi_o,
  output csr_req_t csr_ext_req_o,
  input  word_t csr_ext_rdata_i,
  input  logic lcofi_i
);
  // ======== shared by many units ========
  squash_t squash;                        // from squash_unit
  redirect_t redirect;
  raise_t raise;                          // from commit_stage
  commit_t com;
  retire_t retire [CoreWidth];
  vm_t vm;                                // from system_unit
  pmp_region_t pmp [PmpRegions];
  fp_mode_t fp_mode;
  wake_t wake [Wakes];                    // from all that execute
  serial_state_t serial;

  /* verilator lint_off UNUSEDSIGNAL */  // what ProfileMe alone reads
  lsu_report_t lsu_report;                // from lsu
  packet_t packet;
  conflict_t conflict;
  rob_ref_t int_issue [IntPorts], mem_issue [MemPorts], fp_issue [FpArrays];
  /* verilator lint_on UNUSEDSIGNAL */
  assign lost_o = lsu_report.lost;

  // ======== translation ========
  tlb_flush_t system_tlb_flush, tlb_flush;
  logic fetch_walk_ready, data_walk_ready;
  walk_req_t fetch_walk, data_walk;
  walk_resp_t walk_resp;
  walk_answer_t data_walk_answer;
  assign data_walk_answer = '{ready: data_walk_ready, resp: walk_resp};
  page_fault_t page_fault;
  fault_check_t fault_check;
  table_access_t table_access;
  table_answer_t table_answer;

  translation u_translation (
    .clk_i, .rst_ni, .vm_i(vm), .pmp_i(pmp), .region_i, .flush_i(system_tlb_flush), .tlb_flush_o(tlb_flush),
    .fetch_req_i(fetch_walk), .fetch_ready_o(fetch_walk_ready),
    .data_req_i(data_walk), .data_ready_o(data_walk_ready), .resp_o(walk_resp),
    .fault_i(page_fault), .amo_i(serial.amo), .interrupt_i(raise.irq),
    .left_i(com.any || (raise.valid && !raise.replay)), .check_o(fault_check),
    .table_o(table_access), .table_i(table_answer), .stores_gone_i(lsu_report.settled.stores_gone)
  );

  // ======== fetch ========
  fetch_insn_t fetch_insn [CoreWidth];
  lanes_t fetch_insn_valid, fetch_insn_take;
  ftq_idx_t jalr_ftq;
  word_t jalr_next_pc, fetch_pc;
  logic fetch_valid;

  frontend u_frontend (
    .clk_i, .rst_ni, .reset_pc_i, .redirect_i(redirect),
    .insn_o(fetch_insn), .insn_valid_o(fetch_insn_valid), .insn_take_i(fetch_insn_take),
    .ftq_read_idx_i(jalr_ftq), .ftq_read_next_pc_o(jalr_next_pc), .commit_valid_i(com.any), .commit_ftq_i(com.ftq),
    .vm_i(vm), .pmp_i(pmp), .region_i, .tlb_flush_i(tlb_flush),
    .walk_req_o(fetch_walk), .walk_ready_i(fetch_walk_ready), .walk_resp_i(walk_resp),
    .imem_req_o(memory_o.insn), .imem_ready_i(memory_i.insn.ready), .imem_resp_i(memory_i.insn.resp),
    .fetch_valid_o(fetch_valid), .fetch_pc_o(fetch_pc), .packet_o(packet)
  );

  // ======== decode ========
  lanes_t dec_valid;
  decoded_t dec_uop [CoreWidth];
  logic [31:0] dec_imm [CoreWidth], dec_insn [CoreWidth];
  word_t dec_pc [CoreWidth];
  dispatch_t dis;

  decode_stage u_decode_stage (
    .clk_i, .rst_ni, .fs_off_i(fp_mode.off), .frm_i(fp_mode.frm), .squash_i(squash.valid),
    .insn_i(fetch_insn), .insn_valid_i(fetch_insn_valid), .insn_take_o(fetch_insn_take),
    .valid_o(dec_valid), .uop_o(dec_uop), .imm_o(dec_imm), .pc_o(dec_pc), .insn_o(dec_insn), .fire_count_i(dis.count)
  );

  // ======== rename and dispatch ========
  room_t want, full;
  rob_room_t rob_room;
  place_t place [CoreWidth];
  queue_room_t lsu_room;
  int_uop_t dis_int [CoreWidth];
  mem_entry_t dis_mem [CoreWidth];
  fp_uop_t dis_fp [CoreWidth];
  ready_t ready;
  rob_entry_t dis_entry [CoreWidth];
  logic dis_serial;
  resolve_t resolve [BranchPorts];
  snapshot_t squash_read_id;
  lq_idx_t squash_read_lq;
  sq_idx_t squash_read_sq;

  for (genvar i = 0; i < CoreWidth; i++) begin : gen_place
    assign place[i] = '{rob: rob_room.place[i], lq: lsu_room.place[i].lq, sq: lsu_room.place[i].sq};
  end
  assign {full.loads, full.stores} = {lsu_room.full.loads, lsu_room.full.stores};

  rename_stage u_rename_stage (
    .clk_i, .rst_ni, .squash_i(squash), .hold_i(raise.valid), .serial_busy_i(serial.busy),
    .valid_i(dec_valid), .uop_i(dec_uop),
    .want_o(want), .full_i(full), .rob_room_i(rob_room), .place_i(place),
    .dis_o(dis), .serial_o(dis_serial),
    .int_o(dis_int), .mem_o(dis_mem), .fp_o(dis_fp), .ready_o(ready), .entry_o(dis_entry), .conflict_o(conflict),
    .wake_i(wake), .retire_i(retire),
    .resolve_i(resolve), .read_id_i(squash_read_id), .read_lq_o(squash_read_lq), .read_sq_o(squash_read_sq)
  );

  // ======== integer ========
  preg_t read_preg [Readers];
  word_t read_data [Readers], int_data [2*IntPorts];
  wake_t int_wake [IntWakes];
  preg_t int_read [2*IntPorts];
  result_t int_write [IntWriters];
  rob_ref_t int_done [IntDones];
  serial_operands_t serial_operands;
  word_t csr_rdata;

  int_cluster u_int_cluster (
    .clk_i, .rst_ni, .squash_i(squash),
    .want_i(want.ints), .full_o(full.ints), .fire_i(dis.fire),
    .uop_i(dis_int), .pc_i(dec_pc), .imm_i(dec_imm), .ready_i(ready),
    .wake_i(wake), .wake_o(int_wake),
    .issue_o(int_issue), .read_o(int_read), .data_i(int_data),
    .jalr_ftq_o(jalr_ftq), .next_pc_i(jalr_next_pc),
    .operands_o(serial_operands), .csr_rdata_i(csr_rdata),
    .write_o(int_write), .done_o(int_done), .resolve_o(resolve)
  );

  // ======== memory ========
  lanes_t load_waits;
  preg_t mem_ps1 [MemPorts], mem_ps2 [MemPorts];
  word_t mem_data1 [MemPorts], mem_data2 [MemPorts];
  mem_uop_t mem_ex [MemPorts];
  logic [MemPorts-1:0] mem_hold;
  mem_done_t mem_done [2*MemPorts];       // loads, then stores
  mem_event_t mem_event [MemEvents];
  queue_lanes_t lsu_want;
  queue_enter_t lsu_enter;
  lsu_pkg::lsu_out_t lsu_out;
  logic clean, keep_vectors;
  assign {memory_o.data, memory_o.device, hub_o} = lsu_out;
  assign lsu_want = '{loads: want.loads, stores: want.stores};
  assign lsu_enter = '{fire: dis.fire, rob: rob_room.place, vectors: keep_vectors};

  wait_table u_wait_table (
    .clk_i, .rst_ni, .pc_i(dec_pc), .waits_o(load_waits), .raise_i(raise)
  );

  mem_queue u_mem_queue (
    .clk_i, .rst_ni, .squash_i(squash),
    .want_i(want.mems), .full_o(full.mems), .fire_i(dis.fire), .uop_i(dis_mem), .imm_i(dec_imm),
    .ready1_i(ready.first), .ready2_i(ready.second), .waits_i(load_waits & want.loads),
    .wake_i(wake), .hold_i(mem_hold),
    .rr_ps1_o(mem_ps1), .rr_ps2_o(mem_ps2), .rr_data1_i(mem_data1), .rr_data2_i(mem_data2), .rr_issue_o(mem_issue),
    .ex_uop_o(mem_ex)
  );

  lsu u_lsu (
    .clk_i, .rst_ni, .squash_i(squash),
    .want_i(lsu_want), .room_o(lsu_room), .enter_i(lsu_enter),
    .ex_uop_i(mem_ex), .ex_hold_o(mem_hold),
    .vm_i(vm), .pmp_i(pmp), .region_i, .tlb_flush_i(tlb_flush),
    .walk_req_o(data_walk), .walk_i(data_walk_answer), .table_i(table_access), .table_o(table_answer),
    .done_o(mem_done), .event_o(mem_event), .report_o(lsu_report), .com_i(com.memory), .clean_i(clean),
    .out_o(lsu_out), .in_i('{line: memory_i.data, device: memory_i.device, hub: hub_i})
  );

  // ======== floating point ========
  wake_t fp_wake [2*FpArrays+1];
  preg_t fp_read [3*FpArrays];
  word_t fp_data [3*FpArrays];
  result_t fp_write [2*FpArrays];
  rob_ref_t fp_done [2*FpArrays];
  fp_effect_t fp_effect;

  fp_cluster u_fp_cluster (
    .clk_i, .rst_ni, .squash_i(squash),
    .want_i(want.fps), .full_o(full.fps), .fire_i(dis.fire), .uop_i(dis_fp), .ready_i(ready),
    .wake_i(wake), .wake_o(fp_wake),
    .issue_o(fp_issue), .read_o(fp_read), .data_i(fp_data), .frm_i(fp_mode.frm),
    .write_o(fp_write), .done_o(fp_done), .head_i(com.head), .retire_i(retire), .effect_o(fp_effect)
  );

  // ======== registers, and who has which port ========
  result_t write [Writers];
  word_t retired_data [CoreWidth];

  reg_ports u_reg_ports (
    .int_read_i(int_read), .mem_ps1_i(mem_ps1), .mem_ps2_i(mem_ps2), .fp_read_i(fp_read), .read_o(read_preg),
    .data_i(read_data), .int_data_o(int_data), .mem_data1_o(mem_data1), .mem_data2_o(mem_data2), .fp_data_o(fp_data),
    .int_write_i(int_write), .mem_done_i(mem_done), .fp_write_i(fp_write), .write_o(write),
    .int_wake_i(int_wake), .fp_wake_i(fp_wake), .wake_o(wake)
  );

  regfile u_regfile (
    .clk_i, .rst_ni, .read_i(read_preg), .data_o(read_data), .write_i(write), .retire_i(retire),
    .retired_o(retired_data)
  );

  // ======== serial instructions and CSRs ========
  serial_start_t serial_start;
  word_t life_rdata;
  logic life_lcofi;
  rob_ref_t serial_done;
  exception_t serial_exception;
  irq_t irq;
  resume_t resume;
  assign serial_start = '{valid: dis_serial, op: dec_uop[0].op, unit: dec_uop[0].unit, fault: dec_uop[0].fault,
                          insn: dec_insn[0], pc: dec_pc[0], rob: rob_room.place[0]};

  system_unit u_system_unit (
    .clk_i, .rst_ni, .squash_i(squash),
    .start_i(serial_start), .serial_o(serial),
    .operands_i(serial_operands), .csr_rdata_o(csr_rdata),
    .settled_i(lsu_report.settled), .clean_o(clean),
    .done_o(serial_done), .exception_o(serial_exception),
    .irq_o(irq), .com_i(com), .raise_i(raise), .fp_effect_i(fp_effect), .resume_o(resume),
    .fp_mode_o(fp_mode), .vm_o(vm), .pmp_o(pmp), .tlb_flush_o(system_tlb_flush),
    .machine_i, .lcofi_i(lcofi_i || life_lcofi), .ext_req_o(csr_ext_req_o), .ext_rdata_i(csr_ext_rdata_i | life_rdata)
  );

  // ======== commit ========
  head_order_t order;
  rob_ref_t plain_done [PlainDones];
  seen_t seen;
  assign seen = '{fetch_valid: fetch_valid, fetch_pc: fetch_pc, priv: vm.fetch_priv, space: vm.sv39 ? vm.root : '0,
                  vectors: keep_vectors};

  always_comb begin
    for (int d = 0; d < IntDones; d++) plain_done[d] = int_done[d];
    plain_done[IntDones] = serial_done;
    if (HasFp) for (int d = 0; d < 2 * FpArrays; d++) plain_done[IntDones+1+d] = fp_done[d];
  end

  commit_stage u_commit_stage (
    .clk_i, .rst_ni, .squash_i(squash),
    .valid_i(dec_valid), .pc_i(dec_pc), .insn_i(dec_insn), .dis_i(dis), .entry_i(dis_entry), .room_o(rob_room),
    .done_i(plain_done), .serial_exception_i(serial_exception),
    .mem_done_i(mem_done), .event_i(mem_event), .resolve_i(resolve), .asks_i(lsu_report.asks),
    .irq_i(irq), .fault_o(page_fault), .check_i(fault_check),
    .com_o(com), .retire_o(retire), .raise_o(raise),
    .resume_i(resume), .order_o(order), .seen_i(seen), .bundle_o
  );

  if (HartsCoherent != 0) begin : gen_coherence
    logic replay;
    assign replay = Vectors != 0 && raise.valid && raise.replay;  // lockstep knows the kinds by the vectors
    assign coherence_o = '{
      upgrade: lsu_report.upgrade, replay_order: replay && raise.cause == ReplayOrder,
      replay_snoop: replay && raise.cause == ReplaySnoop, replay_page: replay && page_fault.valid, default: '0
    };
  end else begin : gen_alone
    assign coherence_o = '0;
  end

  vector_gate u_vector_gate (
    .clk_i, .rst_ni, .reads_i, .head_i(com.head), .tail_i(rob_room.place[0]), .enter_i(dis.count), .leave_i(com.count),
    .raise_i(raise.valid), .clear_i(order.valid), .squash_i(squash), .keep_o(keep_vectors), .stale_o
  );

  retire_port u_retire_port (
    .clk_i, .rst_ni, .bundle_i(bundle_o), .retire_i(retire), .com_i(com), .raise_i(raise), .order_i(order),
    .rd_data_i(retired_data), .left_i(lsu_report.left), .csr_i(serial.csr), .rvfi_o
  );

  squash_unit u_squash_unit (
    .clk_i, .rst_ni,
    .all_i(order.valid), .all_rob_i(order.rob), .all_pc_i(order.pc), .all_ftq_i(order.ftq), .all_offset_i(order.offset),
    .all_invalidate_i(order.fence_i), .resolve_i(resolve), .read_id_o(squash_read_id), .read_lq_i(squash_read_lq),
    .read_sq_i(squash_read_sq), .squash_o(squash), .redirect_o(redirect)
  );

  // ======== instructions followed one by one ========
  if (ProfileTags != 0) begin : gen_life
    life_lane_t lane [CoreWidth];
    rob_ref_t issue [Issues], done [Dones];
    leaving_t leaving;

    // A replay that broke memory order; the rest are page faults' instructions, whose A or D bit hardware has set.
    logic reorders;
    assign reorders = raise.replay && !page_fault.valid;
    life_tap u_life_tap (
      .dis_i(dis), .uop_i(dec_uop), .want_i(want), .ready_i(ready), .fp_i(dis_fp), .entry_i(dis_entry),
      .rob_room_i(rob_room), .lane_o(lane),
      .int_issue_i(int_issue), .mem_issue_i(mem_issue), .fp_issue_i(fp_issue), .issue_o(issue),
      .plain_done_i(plain_done), .mem_done_i(mem_done), .done_o(done),
      .com_i(com), .raise_i(raise), .reorders_i(reorders), .squash_i(squash), .leaving_o(leaving)
    );

    profileme u_profileme (
      .clk_i, .rst_ni, .req_i(csr_ext_req_o), .rdata_o(life_rdata),
      .hidden_i(vm.fetch_priv != PRIV_M), .lcofi_o(life_lcofi), .take_i(1'b0),
      /* verilator lint_off PINCONNECTEMPTY */  // the program reads its records by CSRs
      .ready_o(), .sample_o(),
      /* verilator lint_on PINCONNECTEMPTY */
      .packet_i(packet), .priv_i(seen.priv), .space_i(seen.space), .dis_i(dis), .lane_i(lane), .conflict_i(conflict),
      .wake_i(wake), .issue_i(issue), .addressed_i(lsu_report.addressed), .event_i(mem_event), .resolve_i(resolve),
      .done_i(done), .leaving_i(leaving)
    );
  end else begin : gen_no_life
    assign life_rdata = '0;
    assign life_lcofi = 1'b0;
  end

  `include "assert.svh"
  `ASSERT(RedirectIsSeen, bundle_o.redirect == redirect.valid)
  // TLBs are emptied one cycle after satp or a PMP register is written: in a cycle in which fetch restarts and
  // nothing is left to execute, so that nothing that was translated with an entry that goes has an effect.
  `ASSERT(FlushIsSquash, !tlb_flush.walks || (squash.valid && squash.all && redirect.valid))
  `ASSERT(FlushHasWalks, !tlb_flush.entries || tlb_flush.walks)
endmodule
