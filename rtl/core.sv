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
  localparam int unsigned FpDone = HasFp ? IntPorts + 3 + 2 * MemPorts : 0;  // first completion of the floating-point lanes

  squash_t squash;
  redirect_t redirect;

  // ======== translation ========
  /* verilator lint_off UNUSEDSIGNAL */
  vm_t vm;                               // from csr_file
  pmp_region_t pmp [PmpRegions];         // from csr_file
  logic csr_tlb_flush, sfence_tlb_flush, update_tlb_flush;
  logic tlb_flush;                       // sfence.vma, or a write of satp or of a PMP register, leaves the ROB; A or D was set
  walk_req_t fetch_walk_req, data_walk_req, update_walk_req;
  logic fetch_walk_ready, data_walk_ready, update_walk_ready;
  walk_resp_t walk_resp;
  table_leaf_t update_walk_resp;
  logic table_read_valid, table_read_done;  // the walker reads a table entry: held until done
  word_t table_read_addr, table_read_data;
  logic table_write_valid, table_write_done, stores_gone;  // and its accessed and dirty bits are written
  word_t table_write_addr;
  logic [7:0] table_write_byte;
  /* verilator lint_on UNUSEDSIGNAL */
  assign tlb_flush = csr_tlb_flush || sfence_tlb_flush || update_tlb_flush;

  mmu u_mmu (
    .clk_i,
    .rst_ni,
    .vm_i(vm),
    .pmp_i(pmp),
    .flush_i(tlb_flush),
    .fetch_req_i(fetch_walk_req),
    .fetch_ready_o(fetch_walk_ready),
    .data_req_i(data_walk_req),
    .data_ready_o(data_walk_ready),
    .update_req_i(update_walk_req),
    .update_ready_o(update_walk_ready),
    .resp_o(walk_resp),
    .update_resp_o(update_walk_resp),
    .table_read_valid_o(table_read_valid),
    .table_read_addr_o(table_read_addr),
    .table_read_done_i(table_read_done),
    .table_read_data_i(table_read_data)
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
  count_t fire_count;

  logic fs_off;
  logic [2:0] frm;

  decode_stage u_decode_stage (
    .clk_i,
    .rst_ni,
    .fs_off_i(fs_off),
    .frm_i(frm),
    .squash_i(squash.valid),
    .insn_i(fetch_insn),
    .insn_valid_i(fetch_insn_valid),
    .insn_take_o(fetch_insn_take),
    .valid_o(dec_valid),
    .uop_o(dec_uop),
    .imm_o(dec_imm),
    .pc_o(dec_pc),
    .insn_o(dec_insn),
    .fire_count_i(fire_count)
  );

  // ======== rename and dispatch ========
  logic [CoreWidth-1:0] want_int, want_mem, want_fp, want_load, want_store, want_pd, want_snap, fire;
  logic [CoreWidth-1:0] int_full, mem_full, fp_full, lq_full, sq_full, pd_empty, snap_full, load_waits;
  logic [CoreWidth-1:0] ready1, ready2;
  /* verilator lint_off UNUSEDSIGNAL */  // third sources: only with F and D
  logic [CoreWidth-1:0] ready3;
  preg_t ps3 [CoreWidth];
  /* verilator lint_on UNUSEDSIGNAL */
  logic serial_start, serial_busy, rob_empty, raise;
  count_t rob_free;
  psv_t dis_psv [CoreWidth];
  rob_idx_t dis_rob [CoreWidth];
  lq_idx_t dis_lq [CoreWidth];
  sq_idx_t dis_sq [CoreWidth];
  preg_t pd [CoreWidth], ps1 [CoreWidth], ps2 [CoreWidth], old_pd [CoreWidth];
  snapshot_t snap_id [CoreWidth];
  free_ptr_t free_head [CoreWidth], squash_free_head, fp_free_head [CoreWidth], squash_fp_free_head;

  dispatch u_dispatch (
    .clk_i,
    .rst_ni,
    .squash_i(squash.valid),
    .hold_i(raise),
    .serial_busy_i(serial_busy),
    .valid_i(dec_valid),
    .uop_i(dec_uop),
    .want_int_o(want_int),
    .want_mem_o(want_mem),
    .want_fp_o(want_fp),
    .want_load_o(want_load),
    .want_store_o(want_store),
    .want_pd_o(want_pd),
    .want_snap_o(want_snap),
    .rob_free_i(rob_free),
    .rob_empty_i(rob_empty),
    .int_full_i(int_full),
    .mem_full_i(mem_full),
    .fp_full_i(fp_full),
    .lq_full_i(lq_full),
    .sq_full_i(sq_full),
    .pd_empty_i(pd_empty),
    .snap_full_i(snap_full),
    .fire_o(fire),
    .fire_count_o(fire_count),
    .serial_o(serial_start),
    .psv_o(dis_psv)
  );

  logic [CoreWidth-1:0] age_pd_valid;
  areg_t age_rd [CoreWidth];
  preg_t age_pd [CoreWidth], age_old [CoreWidth];

  // Registers of the two kinds come from lists of their own.
  logic [CoreWidth-1:0] want_f, want_x, x_empty, com_f;
  preg_t x_pd [CoreWidth], f_pd [CoreWidth];
  for (genvar i = 0; i < CoreWidth; i++) begin : gen_kind
    assign want_f[i] = want_pd[i] && is_f(dec_uop[i].rd);
    assign want_x[i] = want_pd[i] && !want_f[i];
    assign pd[i] = want_f[i] ? f_pd[i] : x_pd[i];
    assign com_f[i] = age_pd_valid[i] && is_f(age_rd[i]);
  end

  free_list u_free_list (
    .clk_i,
    .rst_ni,
    .want_i(want_x),
    .fire_i(fire),
    .pd_o(x_pd),
    .empty_o(x_empty),
    .squash_valid_i(squash.valid),
    .squash_all_i(squash.all),
    .squash_head_i(squash_free_head),
    .head_after_o(free_head),
    .com_valid_i(age_pd_valid & ~com_f),
    .com_old_i(age_old)
  );

  if (HasFp) begin : gen_fp_free_list
    logic [CoreWidth-1:0] f_empty;
    free_list #(.Entries(FpFree), .First(IntPregs + 32)) u_fp_free_list (
      .clk_i,
      .rst_ni,
      .want_i(want_f),
      .fire_i(fire),
      .pd_o(f_pd),
      .empty_o(f_empty),
      .squash_valid_i(squash.valid),
      .squash_all_i(squash.all),
      .squash_head_i(squash_fp_free_head),
      .head_after_o(fp_free_head),
      .com_valid_i(com_f),
      .com_old_i(age_old)
    );
    assign pd_empty = x_empty | f_empty;
  end else begin : gen_no_fp_free_list
    assign pd_empty = x_empty;
    for (genvar i = 0; i < CoreWidth; i++) begin : gen_tie
      assign f_pd[i] = '0;
      assign fp_free_head[i] = '0;
    end
    /* verilator lint_off UNUSEDSIGNAL */
    free_ptr_t unused_head;
    /* verilator lint_on UNUSEDSIGNAL */
    assign unused_head = squash_fp_free_head;
  end

  map_table u_map_table (
    .clk_i,
    .rst_ni,
    .squash_i(squash),
    .valid_i(dec_valid),
    .uop_i(dec_uop),
    .pd_i(pd),
    .snap_i(want_snap),
    .snap_id_i(snap_id),
    .fire_i(fire),
    .ps1_o(ps1),
    .ps2_o(ps2),
    .ps3_o(ps3),
    .old_o(old_pd),
    .com_valid_i(age_pd_valid),
    .com_rd_i(age_rd),
    .com_pd_i(age_pd)
  );

  resolve_t resolve [BranchPorts];
  logic [BranchPorts-1:0] resolve_valid, resolve_mispredict;
  snapshot_t resolve_id [BranchPorts], squash_read_id;
  lq_idx_t squash_read_lq;
  sq_idx_t squash_read_sq;
  for (genvar p = 0; p < BranchPorts; p++) begin : gen_resolve
    assign resolve_valid[p] = resolve[p].valid;
    assign resolve_mispredict[p] = resolve[p].mispredict;
    assign resolve_id[p] = resolve[p].snapshot;
  end

  branch_tracker u_branch_tracker (
    .clk_i,
    .rst_ni,
    .squash_i(squash),
    .want_i(want_snap),
    .fire_i(fire),
    .id_o(snap_id),
    .full_o(snap_full),
    .lq_i(dis_lq),
    .sq_i(dis_sq),
    .free_head_i(free_head),
    .fp_free_head_i(fp_free_head),
    .done_i(resolve_valid),
    .done_id_i(resolve_id),
    .read_id_i(squash_read_id),
    .read_lq_o(squash_read_lq),
    .read_sq_o(squash_read_sq),
    .squash_free_head_o(squash_free_head),
    .squash_fp_free_head_o(squash_fp_free_head)
  );

  wake_t wake [Wakes];

  busy_table u_busy_table (
    .clk_i,
    .rst_ni,
    .alloc_i(want_pd),
    .fire_i(fire),
    .pd_i(pd),
    .ps1_i(ps1),
    .ps2_i(ps2),
    .ps3_i(ps3),
    .ready1_o(ready1),
    .ready2_o(ready2),
    .ready3_o(ready3),
    .wake_i(wake)
  );

  int_uop_t dis_int [CoreWidth];
  mem_entry_t dis_mem [CoreWidth];
  rob_info_t dis_info [CoreWidth];
  for (genvar i = 0; i < CoreWidth; i++) begin : gen_dispatch
    assign dis_int[i] = '{op: dec_uop[i].op, unit: dec_uop[i].unit, rob: dis_rob[i], pd: pd[i],
                          pd_valid: dec_uop[i].rd_valid, ps1: ps1[i], ps2: ps2[i], use_pc: dec_uop[i].use_pc,
                          use_imm: dec_uop[i].use_imm, rvc: dec_uop[i].rvc, pred_taken: dec_uop[i].pred_taken,
                          ftq: dec_uop[i].ftq, snapshot: snap_id[i]};
    assign dis_mem[i] = '{op: dec_uop[i].op, unit: dec_uop[i].unit, rob: dis_rob[i], lq: dis_lq[i], sq: dis_sq[i],
                          pd: pd[i], pd_valid: dec_uop[i].rd_valid, ps1: ps1[i], ps2: ps2[i]};
    assign dis_info[i] = '{rd: dec_uop[i].rd, pd: pd[i], old_pd: old_pd[i], pd_valid: dec_uop[i].rd_valid,
                           is_load: want_load[i], is_store: want_store[i], is_fp: want_fp[i], flush: dec_uop[i].flush,
                           rvc: dec_uop[i].rvc, ftq: dec_uop[i].ftq};
  end

  // ======== issue ========
  logic [IntPorts-1:0] rr_valid;
  int_uop_t rr_uop [IntPorts];
  word_t rr_pc [IntPorts];
  logic [31:0] rr_imm [IntPorts];
  preg_t mem_ps1 [MemPorts], mem_ps2 [MemPorts];
  word_t mem_data1 [MemPorts], mem_data2 [MemPorts];
  mem_uop_t mem_ex [MemPorts];
  logic [MemPorts-1:0] mem_hold;
  logic div_free;

  int_queue u_int_queue (
    .clk_i,
    .rst_ni,
    .squash_i(squash),
    .want_i(want_int),
    .full_o(int_full),
    .fire_i(fire),
    .uop_i(dis_int),
    .pc_i(dec_pc),
    .imm_i(dec_imm),
    .ready1_i(ready1),
    .ready2_i(ready2),
    .wake_i(wake),
    .wake_o(wake[0:IntPorts-1]),
    .div_free_i(div_free),
    .rr_valid_o(rr_valid),
    .rr_uop_o(rr_uop),
    .rr_pc_o(rr_pc),
    .rr_imm_o(rr_imm)
  );

  logic replay;
  word_t epc;
  wait_table u_wait_table (
    .clk_i,
    .rst_ni,
    .pc_i(dec_pc),
    .waits_o(load_waits),
    .learn_i(replay),
    .learn_pc_i(epc)
  );

  mem_queue u_mem_queue (
    .clk_i,
    .rst_ni,
    .squash_i(squash),
    .want_i(want_mem),
    .full_o(mem_full),
    .fire_i(fire),
    .uop_i(dis_mem),
    .imm_i(dec_imm),
    .ready1_i(ready1),
    .ready2_i(ready2),
    .waits_i(load_waits & want_load),
    .wake_i(wake),
    .hold_i(mem_hold),
    .rr_ps1_o(mem_ps1),
    .rr_ps2_o(mem_ps2),
    .rr_data1_i(mem_data1),
    .rr_data2_i(mem_data2),
    .ex_uop_o(mem_ex)
  );

  // ======== execute ========
  preg_t read_preg [Readers];
  word_t read_data [Readers];
  result_t write [Writers];

  regfile u_regfile (.clk_i, .rst_ni, .read_i(read_preg), .data_o(read_data), .write_i(write));

  logic [IntPorts-1:0] ex_valid, int_done;
  int_uop_t ex_uop [IntPorts];
  word_t ex_a [IntPorts], ex_b [IntPorts];
  word_t csr_rdata;

  for (genvar p = 0; p < IntPorts; p++) begin : gen_int
    resolve_t port_resolve;
    assign read_preg[2*p] = rr_uop[p].ps1;
    assign read_preg[2*p+1] = rr_uop[p].ps2;

    int_lane #(.HasBranch(p < BranchPorts), .HasCsr(p == 0)) u_int_lane (
      .clk_i,
      .rst_ni,
      .squash_i(squash),
      .rr_valid_i(rr_valid[p]),
      .rr_uop_i(rr_uop[p]),
      .rr_pc_i(rr_pc[p]),
      .rr_imm_i(rr_imm[p]),
      .rr_data1_i(read_data[2*p]),
      .rr_data2_i(read_data[2*p+1]),
      .ex_valid_o(ex_valid[p]),
      .ex_uop_o(ex_uop[p]),
      .ex_a_o(ex_a[p]),
      .ex_b_o(ex_b[p]),
      .next_pc_i(jalr_next_pc),
      .csr_rdata_i(csr_rdata),
      .result_o(write[p]),
      .done_valid_o(int_done[p]),
      .resolve_o(port_resolve)
    );
    if (p < BranchPorts) begin : gen_branch
      assign resolve[p] = port_resolve;
    end else begin : gen_no_branch
      /* verilator lint_off UNUSEDSIGNAL */
      resolve_t unused_resolve;
      /* verilator lint_on UNUSEDSIGNAL */
      assign unused_resolve = port_resolve;
    end
  end
  assign jalr_ftq = ex_uop[0].ftq;

  for (genvar p = 0; p < MemPorts; p++) begin : gen_mem_read
    assign read_preg[2*(IntPorts+p)] = mem_ps1[p];
    assign read_preg[2*(IntPorts+p)+1] = mem_ps2[p];
    assign mem_data1[p] = read_data[2*(IntPorts+p)];
    assign mem_data2[p] = read_data[2*(IntPorts+p)+1];
  end

  // Multiplier and divider share a write port; the multiplier cannot wait.
  result_t mul_result, div_result;
  logic mul_done, div_done, div_busy;
  rob_idx_t mul_rob, div_rob;

  mul u_mul (
    .clk_i,
    .rst_ni,
    .squash_i(squash),
    .valid_i(ex_valid[MulPort] && ex_uop[MulPort].unit == UNIT_MUL),
    .uop_i(ex_uop[MulPort]),
    .a_i(ex_a[MulPort]),
    .b_i(ex_b[MulPort]),
    .wake_valid_o(wake[IntPorts].valid),
    .wake_tag_o(wake[IntPorts].tag),
    .result_o(mul_result),
    .done_valid_o(mul_done),
    .done_rob_o(mul_rob)
  );

  logic div_start;
  assign div_start = ex_valid[DivPort] && ex_uop[DivPort].unit == UNIT_DIV;
  assign div_free = !div_busy && !div_start && !(rr_valid[DivPort] && rr_uop[DivPort].unit == UNIT_DIV);

  div u_div (
    .clk_i,
    .rst_ni,
    .squash_i(squash),
    .valid_i(div_start),
    .uop_i(ex_uop[DivPort]),
    .a_i(ex_a[DivPort]),
    .b_i(ex_b[DivPort]),
    .busy_o(div_busy),
    .write_ready_i(!mul_result.valid),
    .result_o(div_result),
    .done_valid_o(div_done),
    .done_rob_o(div_rob)
  );
  assign write[IntPorts] = mul_result.valid ? mul_result : div_result;
  assign wake[IntPorts+1] = '{valid: div_result.valid, tag: div_result.pd};

  // ======== floating point ========
  logic [2*FpArrays-1:0] fp_done;
  rob_idx_t fp_done_rob [2*FpArrays];
  fp_flags_t fp_done_flags [2*FpArrays], fp_accrue;
  logic [CoreWidth-1:0] com_fp;
  logic fp_dirty;
  rob_idx_t head;
  if (HasFp) begin : gen_fp
    fp_uop_t dis_fp [CoreWidth], fp_rr_uop [FpArrays];
    logic [FpArrays-1:0] fp_rr_valid;
    /* verilator lint_off UNUSEDSIGNAL */  // lane 0 has the divider
    logic [FpArrays-1:0] fp_div_free, fp_late;
    /* verilator lint_on UNUSEDSIGNAL */
    for (genvar i = 0; i < CoreWidth; i++) begin : gen_dispatch
      assign dis_fp[i] = '{op: dec_uop[i].fp_op, format: dec_uop[i].fp_format, rm: dec_uop[i].fp_rm, rob: dis_rob[i],
                           pd: pd[i], pd_valid: dec_uop[i].rd_valid, ps1: ps1[i], ps2: ps2[i], ps3: ps3[i]};
    end

    fp_queue u_fp_queue (
      .clk_i,
      .rst_ni,
      .squash_i(squash),
      .want_i(want_fp),
      .full_o(fp_full),
      .fire_i(fire),
      .uop_i(dis_fp),
      .ready1_i(ready1),
      .ready2_i(ready2),
      .ready3_i(ready3),
      .wake_i(wake),
      .div_free_i(fp_div_free[0]),
      .rr_valid_o(fp_rr_valid),
      .rr_uop_o(fp_rr_uop)
    );

    for (genvar p = 0; p < FpArrays; p++) begin : gen_lane
      localparam int unsigned Read = 2 * (IntPorts + MemPorts) + 3 * p;
      localparam int unsigned Write = IntPorts + 1 + MemPorts + 2 * p;
      localparam int unsigned Wake = IntPorts + 2 + MemPorts + 2 * p;
      assign read_preg[Read] = fp_rr_uop[p].ps1;
      assign read_preg[Read+1] = fp_rr_uop[p].ps2;
      assign read_preg[Read+2] = fp_rr_uop[p].ps3;

      fp_lane #(.HasDiv(p == 0)) u_fp_lane (
        .clk_i,
        .rst_ni,
        .squash_i(squash),
        .rr_valid_i(fp_rr_valid[p]),
        .rr_uop_i(fp_rr_uop[p]),
        .rr_data1_i(read_data[Read]),
        .rr_data2_i(read_data[Read+1]),
        .rr_data3_i(read_data[Read+2]),
        .frm_i(frm),
        .div_free_o(fp_div_free[p]),
        .f_result_o(write[Write]),
        .f_done_o(fp_done[2*p]),
        .f_rob_o(fp_done_rob[2*p]),
        .f_flags_o(fp_done_flags[2*p]),
        .f_wake_o(wake[Wake].valid),
        .f_wake_tag_o(wake[Wake].tag),
        .x_wake_o(wake[Wake+1].valid),
        .x_wake_tag_o(wake[Wake+1].tag),
        .late_wake_o(fp_late[p]),
        .x_result_o(write[Write+1]),
        .x_done_o(fp_done[2*p+1]),
        .x_rob_o(fp_done_rob[2*p+1]),
        .x_flags_o(fp_done_flags[2*p+1])
      );
    end
    // Only port 0 divides.
    assign wake[Wakes-1] = '{valid: fp_late[0], tag: write[IntPorts+1+MemPorts].pd};

    fp_flags u_fp_flags (
      .clk_i,
      .done_i(fp_done),
      .done_rob_i(fp_done_rob),
      .flags_i(fp_done_flags),
      .head_i(head),
      .com_fp_i(com_fp),
      .com_pd_valid_i(age_pd_valid),
      .com_rd_i(age_rd),
      .accrue_o(fp_accrue),
      .dirty_o(fp_dirty)
    );
  end else begin : gen_no_fp
    assign fp_full = '0;
    assign fp_done = '0;
    assign fp_accrue = '0;
    assign fp_dirty = 1'b0;
    for (genvar i = 0; i < 2 * FpArrays; i++) begin : gen_tie
      assign fp_done_rob[i] = '0;
      assign fp_done_flags[i] = '0;
    end
    /* verilator lint_off UNUSEDSIGNAL */
    logic unused;
    /* verilator lint_on UNUSEDSIGNAL */
    assign unused = (want_fp | com_fp) != '0 || frm != '0 || fp_done_flags[0] != '0;
  end

  // ======== load/store unit ========
  mem_done_t load_done [MemPorts], store_done [MemPorts];
  logic viol_valid, nonspec_req, nonspec_gnt, sq_empty, clean, clean_done;
  rob_idx_t viol_rob, nonspec_rob;
  count_t com_loads, com_stores;

  lsu u_lsu (
    .clk_i,
    .rst_ni,
    .squash_i(squash),
    .dis_load_i(want_load),
    .dis_store_i(want_store),
    .dis_lq_o(dis_lq),
    .dis_sq_o(dis_sq),
    .dis_lq_full_o(lq_full),
    .dis_sq_full_o(sq_full),
    .dis_fire_i(fire),
    .dis_rob_i(dis_rob),
    .ex_uop_i(mem_ex),
    .ex_hold_o(mem_hold),
    .vm_i(vm),
    .pmp_i(pmp),
    .tlb_flush_i(tlb_flush),
    .walk_req_o(data_walk_req),
    .walk_ready_i(data_walk_ready),
    .walk_resp_i(walk_resp),
    .table_read_valid_i(table_read_valid),
    .table_read_addr_i(table_read_addr),
    .table_read_done_o(table_read_done),
    .table_read_data_o(table_read_data),
    .table_write_valid_i(table_write_valid),
    .table_write_addr_i(table_write_addr),
    .table_write_byte_i(table_write_byte),
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

  for (genvar p = 0; p < MemPorts; p++) begin : gen_mem_write
    assign write[IntPorts+1+p] = '{valid: load_done[p].valid && load_done[p].pd_valid && !load_done[p].exception,
                                   pd: load_done[p].pd, data: load_done[p].data};
    assign wake[IntPorts+2+p] = '{valid: write[IntPorts+1+p].valid, tag: load_done[p].pd};
  end

  // ======== serial instructions and CSRs ========
  logic serial_locked, serial_amo, serial_done, serial_exception, mret, sret, fence_i, csr_denied, irq, flush, tvm, tw, tsr, wfi_wake;
  cause_t serial_cause, irq_cause;
  word_t serial_tval, csr_modify, csr_wdata, return_pc, trap_pc;
  logic [11:0] csr_addr;
  rob_idx_t serial_rob;
  priv_e priv;
  // for the monitor: what happens as instructions leave
  logic csr_write_valid, trap_valid, trap_interrupt;
  word_t trap_tval, trap_epc;
  cause_t trap_cause;
  /* verilator lint_off UNUSEDSIGNAL */
  logic [11:0] csr_write_addr;
  word_t csr_write_data;
  /* verilator lint_on UNUSEDSIGNAL */
  assign csr_write_addr = csr_addr;

  serial_unit u_serial_unit (
    .clk_i,
    .rst_ni,
    .start_i(serial_start),
    .op_i(dec_uop[0].op),
    .unit_i(dec_uop[0].unit),
    .fault_i(dec_uop[0].fault),
    .insn_i(dec_insn[0]),
    .pc_i(dec_pc[0]),
    .rob_i(dis_rob[0]),
    .busy_o(serial_busy),
    .locked_o(serial_locked),
    .amo_o(serial_amo),
    .commit_i(com_valid != '0),
    .squash_all_i(squash.valid && squash.all),
    .csr_valid_i(ex_valid[0] && ex_uop[0].unit == UNIT_CSR),
    .csr_operand_i(ex_a[0]),
    .csr_modify_i(csr_modify),
    .csr_denied_i(csr_denied),
    .csr_addr_o(csr_addr),
    .csr_write_o(csr_write_valid),
    .csr_wdata_o(csr_wdata),
    .priv_i(priv),
    .tvm_i(tvm),
    .tw_i(tw),
    .tsr_i(tsr),
    .wfi_wake_i(wfi_wake),
    .sq_empty_i(sq_empty),
    .clean_o(clean),
    .clean_done_i(clean_done),
    .done_valid_o(serial_done),
    .done_rob_o(serial_rob),
    .exception_o(serial_exception),
    .cause_o(serial_cause),
    .tval_o(serial_tval),
    .mret_o(mret),
    .sret_o(sret),
    .fence_i_o(fence_i),
    .tlb_flush_o(sfence_tlb_flush)
  );

  csr_file u_csr_file (
    .clk_i,
    .rst_ni,
    .addr_i(csr_addr),
    .rdata_o(csr_rdata),
    .modify_o(csr_modify),
    .denied_o(csr_denied),
    .write_i(csr_write_valid),
    .wdata_i(csr_wdata),
    .written_o(csr_write_data),
    .trap_i(trap_valid),
    .trap_interrupt_i(trap_interrupt),
    .trap_cause_i(trap_cause),
    .trap_tval_i(trap_tval),
    .trap_epc_i(trap_epc),
    .trap_pc_o(trap_pc),
    .mret_i(flush && mret),
    .sret_i(flush && sret),
    .return_pc_o(return_pc),
    .priv_o(priv),
    .vm_o(vm),
    .pmp_o(pmp),
    .tlb_flush_o(csr_tlb_flush),
    .tvm_o(tvm),
    .tw_o(tw),
    .tsr_o(tsr),
    .wfi_wake_o(wfi_wake),
    .fp_accrue_i(fp_accrue),
    .fp_dirty_i(fp_dirty),
    .fs_off_o(fs_off),
    .frm_o(frm),
    .machine_i,
    .lcofi_i,
    .retired_i(retired_o),
    .irq_o(irq),
    .irq_cause_o(irq_cause),
    .ext_req_o(csr_ext_req_o),
    .ext_rdata_i(csr_ext_rdata_i)
  );
  assign priv_o = priv;

  // ======== commit ========
  logic [Dones-1:0] done;
  rob_idx_t done_rob [Dones], event_rob [2*MemPorts];
  logic [2*MemPorts-1:0] event_valid;
  psv_t event_psv [2*MemPorts];
  exception_t exc_source [ExcSources], exception;

  always_comb begin
    for (int p = 0; p < IntPorts; p++) begin
      done[p] = int_done[p];
      done_rob[p] = ex_uop[p].rob;
    end
    done[IntPorts] = mul_done;
    done_rob[IntPorts] = mul_rob;
    done[IntPorts+1] = div_done;
    done_rob[IntPorts+1] = div_rob;
    done[IntPorts+2] = serial_done;
    done_rob[IntPorts+2] = serial_rob;
    exc_source[0] = '{valid: serial_done && serial_exception, rob: serial_rob, replay: 1'b0, cause: serial_cause,
                      tval: serial_tval};
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
        done[FpDone+p] = fp_done[p];
        done_rob[FpDone+p] = fp_done_rob[p];
      end
  end

  exception_reg #(.Sources(ExcSources)) u_exception_reg (
    .clk_i, .rst_ni, .squash_i(squash), .source_i(exc_source), .exception_o(exception)
  );

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
    .fire_i(fire),
    .fire_count_i(fire_count),
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
    .clear_i(raise || flush)
  );

  logic interrupt, page_fault;
  fault_check_t fault_check;
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
    .irq_i(irq),
    .irq_cause_i(irq_cause),
    .serial_locked_i(serial_locked),
    .page_fault_o(page_fault),
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
    .raise_o(raise),
    .interrupt_o(interrupt),
    .replay_o(replay),
    .cause_o(trap_cause),
    .tval_o(trap_tval),
    .epc_o(epc),
    .raise_psv_o(raise_psv)
  );
  assign trap_valid = raise && !replay;
  assign trap_interrupt = interrupt;
  assign trap_epc = epc;
  assign retired_o = (LaneBits + 1)'(com_count);

  ad_update u_ad_update (
    .clk_i,
    .rst_ni,
    .vm_i(vm),
    .pmp_i(pmp),
    .fault_i(page_fault),
    .cause_i(exception.cause),
    .tval_i(exception.tval),
    .amo_i(serial_amo),
    .interrupt_i(interrupt),
    .left_i(com_valid != '0 || trap_valid),
    .check_o(fault_check),
    .walk_req_o(update_walk_req),
    .walk_ready_i(update_walk_ready),
    .walk_resp_i(update_walk_resp),
    .stores_gone_i(stores_gone),
    .write_valid_o(table_write_valid),
    .write_addr_o(table_write_addr),
    .write_byte_o(table_write_byte),
    .write_done_i(table_write_done),
    .tlb_flush_o(update_tlb_flush)
  );

  squash_unit u_squash_unit (
    .clk_i,
    .rst_ni,
    .all_i(raise || flush),
    .all_rob_i(head),
    .all_pc_i(replay ? epc : raise ? trap_pc : mret || sret ? return_pc : next_pc),
    .all_ftq_i(com_ftq),
    .all_invalidate_i(flush && fence_i),
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
    .raise_i(raise),
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
      bundle_o.dispatch_valid[b] = fire[b];
      bundle_o.dispatch_pc[b] = dec_valid[b] ? dec_pc[b] : '0;
    end
  end

  always_comb begin
    bundle_o.oldest = oldest;
    bundle_o.rob_empty = rob_empty;
    bundle_o.exception = raise;
    bundle_o.interrupt = interrupt;
    bundle_o.replay = replay;
    bundle_o.cause = trap_valid ? trap_cause : '0;
    bundle_o.exception_pc = raise ? epc : '0;
    bundle_o.exception_psv = raise ? raise_psv : '0;
    bundle_o.redirect = redirect.valid;
    bundle_o.fetch_valid = fetch_valid;
    bundle_o.fetch_pc = fetch_pc;
    bundle_o.dispatch_rob = dis_rob[0];
  end
endmodule
