// Rename and dispatch: decoded instructions get registers, places and snapshots, and leave for the queues and the ROB.
//
//   decode registers --> dispatch: who may leave?  <-- room in the ROB, the queues, free lists, snapshots
//                 |         fire
//                 +--> map_table, free lists, busy_table, branch_tracker --> int_o, mem_o, fp_o, entry_o
//
// Combinational from the decode registers to the queues' inputs; what fires is in its queue and in the ROB in the next
// cycle. int_o, mem_o, fp_o and entry_o say of each lane what it would be in that room; want_o and dis_o.fire say where
// it goes. Registers of the two kinds come from free lists of their own. Invariant: a lane fires only if all lanes
// before it do, and then every room that it wants takes it.
module rename_stage
  import config_pkg::*;
  import events_pkg::*;
  import core_pkg::*;
  import port_pkg::*;
  import decode_pkg::*;
  import rename_pkg::*;
  import dispatch_pkg::*;
  import issue_pkg::*;
  import rob_pkg::*;
  import life_pkg::*;
(
  input  logic clk_i,
  input  logic rst_ni,
  input  squash_t squash_i,
  input  logic hold_i,                       // nothing leaves: the head raises an exception
  input  logic serial_busy_i,                // a serial instruction is in the ROB
  // decode registers
  input  lanes_t valid_i,
  input  decoded_t uop_i [CoreWidth],
  // room
  output room_t want_o,
  input  room_t full_i,
  input  rob_room_t rob_room_i,
  input  place_t place_i [CoreWidth],
  // what leaves
  output dispatch_t dis_o,
  output logic serial_o,                     // lane 0 leaves and is serial
  output int_uop_t int_o [CoreWidth],
  output mem_entry_t mem_o [CoreWidth],
  output fp_uop_t fp_o [CoreWidth],
  output ready_t ready_o,
  output rob_entry_t entry_o [CoreWidth],
  output conflict_t conflict_o,
  // registers that get their value
  input  wake_t wake_i [Wakes],
  // commit, in age order
  input  retire_t retire_i [CoreWidth],
  // branches that EX has resolved; what is known of one that was predicted wrong
  input  resolve_t resolve_i [BranchPorts],
  input  snapshot_t read_id_i,
  output lq_idx_t read_lq_o,
  output sq_idx_t read_sq_o
);
  // ---- dispatch ----
  lanes_t want_pd, want_snap, pd_empty, snap_full;
  psv_t psv [CoreWidth];

  dispatch u_dispatch (
    .clk_i, .rst_ni, .squash_i(squash_i.valid), .hold_i, .serial_busy_i,
    .valid_i, .uop_i,
    .want_o, .want_pd_o(want_pd), .want_snap_o(want_snap), .rob_room_i, .full_i, .pd_empty_i(pd_empty),
    .snap_full_i(snap_full), .dis_o, .serial_o, .psv_o(psv), .conflict_o
  );

  // ---- commits and resolved branches, as the free lists and the branch tracker take them ----
  lanes_t com_pd_valid, com_f, want_f;
  areg_t com_rd [CoreWidth];
  preg_t com_pd [CoreWidth], com_old [CoreWidth];
  preg_t pd [CoreWidth], x_pd [CoreWidth], f_pd [CoreWidth];
  for (genvar i = 0; i < CoreWidth; i++) begin : gen_kind
    assign com_pd_valid[i] = retire_i[i].pd_valid;
    assign com_rd[i] = retire_i[i].rd;
    assign com_pd[i] = retire_i[i].pd;
    assign com_old[i] = retire_i[i].old_pd;
    assign com_f[i] = com_pd_valid[i] && is_f(com_rd[i]);
    assign want_f[i] = want_pd[i] && is_f(uop_i[i].rd);
    assign pd[i] = want_f[i] ? f_pd[i] : x_pd[i];
  end

  logic [BranchPorts-1:0] resolved;
  snapshot_t resolved_id [BranchPorts];
  for (genvar p = 0; p < BranchPorts; p++) begin : gen_resolve
    assign resolved[p] = resolve_i[p].valid;
    assign resolved_id[p] = resolve_i[p].snapshot;
  end

  // ---- registers ----
  lanes_t x_empty;
  free_ptr_t free_head [CoreWidth], squash_free_head, fp_free_head [CoreWidth], squash_fp_free_head;

  free_list u_free_list (
    .clk_i, .rst_ni,
    .want_i(want_pd & ~want_f), .fire_i(dis_o.fire), .pd_o(x_pd), .empty_o(x_empty),
    .squash_valid_i(squash_i.valid), .squash_all_i(squash_i.all), .squash_head_i(squash_free_head),
    .head_after_o(free_head),
    .com_valid_i(com_pd_valid & ~com_f), .com_old_i(com_old)
  );

  if (HasFp) begin : gen_fp_free_list
    lanes_t f_empty;
    free_list #(.Entries(FpFree), .First(IntPregs + 32)) u_fp_free_list (
      .clk_i, .rst_ni,
      .want_i(want_f), .fire_i(dis_o.fire), .pd_o(f_pd), .empty_o(f_empty),
      .squash_valid_i(squash_i.valid), .squash_all_i(squash_i.all), .squash_head_i(squash_fp_free_head),
      .head_after_o(fp_free_head),
      .com_valid_i(com_f), .com_old_i(com_old)
    );
    assign pd_empty = x_empty | f_empty;
  end else begin : gen_no_fp_free_list
    assign pd_empty = x_empty;
    for (genvar i = 0; i < CoreWidth; i++) begin : gen_tie
      assign f_pd[i] = '0;
      assign fp_free_head[i] = '0;
    end
    free_ptr_t unused_head;
    assign unused_head = squash_fp_free_head;
  end

  // ---- names ----
  preg_t ps1 [CoreWidth], ps2 [CoreWidth], ps3 [CoreWidth], old_pd [CoreWidth];
  snapshot_t snap_id [CoreWidth];
  lq_idx_t lq [CoreWidth];
  sq_idx_t sq [CoreWidth];

  map_table u_map_table (
    .clk_i, .rst_ni, .squash_i,
    .valid_i, .uop_i, .pd_i(pd), .snap_i(want_snap), .snap_id_i(snap_id), .fire_i(dis_o.fire),
    .ps1_o(ps1), .ps2_o(ps2), .ps3_o(ps3), .old_o(old_pd),
    .com_valid_i(com_pd_valid), .com_rd_i(com_rd), .com_pd_i(com_pd)
  );

  branch_tracker u_branch_tracker (
    .clk_i, .rst_ni, .squash_i,
    .want_i(want_snap), .fire_i(dis_o.fire), .id_o(snap_id), .full_o(snap_full),
    .lq_i(lq), .sq_i(sq), .free_head_i(free_head), .fp_free_head_i(fp_free_head),
    .done_i(resolved), .done_id_i(resolved_id),
    .read_id_i, .read_lq_o, .read_sq_o,
    .squash_free_head_o(squash_free_head), .squash_fp_free_head_o(squash_fp_free_head)
  );

  busy_table u_busy_table (
    .clk_i, .rst_ni,
    .alloc_i(want_pd), .fire_i(dis_o.fire), .pd_i(pd), .ps1_i(ps1), .ps2_i(ps2), .ps3_i(ps3),
    .ready1_o(ready_o.first), .ready2_o(ready_o.second), .ready3_o(ready_o.third),
    .wake_i
  );

  // ---- what each room gets ----
  for (genvar i = 0; i < CoreWidth; i++) begin : gen_lane
    assign lq[i] = place_i[i].lq;
    assign sq[i] = place_i[i].sq;
    assign int_o[i] = '{op: uop_i[i].op, unit: uop_i[i].unit, rob: place_i[i].rob, pd: pd[i],
                        pd_valid: uop_i[i].rd_valid, ps1: ps1[i], ps2: ps2[i], use_pc: uop_i[i].use_pc,
                        use_imm: uop_i[i].use_imm, rvc: uop_i[i].rvc, pred_taken: uop_i[i].pred_taken,
                        ftq: uop_i[i].ftq, snapshot: snap_id[i]};
    assign mem_o[i] = '{op: uop_i[i].op, unit: uop_i[i].unit, rob: place_i[i].rob, lq: place_i[i].lq, sq: place_i[i].sq,
                        pd: pd[i], pd_valid: uop_i[i].rd_valid, ps1: ps1[i], ps2: ps2[i]};
    assign fp_o[i] = '{op: uop_i[i].fp_op, format: uop_i[i].fp_format, rm: uop_i[i].fp_rm, rob: place_i[i].rob,
                       pd: pd[i], pd_valid: uop_i[i].rd_valid, ps1: ps1[i], ps2: ps2[i], ps3: ps3[i]};
    assign entry_o[i] = '{info: '{rd: uop_i[i].rd, pd: pd[i], old_pd: old_pd[i], pd_valid: uop_i[i].rd_valid,
                                  is_load: want_o.loads[i], is_store: want_o.stores[i], is_fp: want_o.fps[i],
                                  flush: uop_i[i].flush, rvc: uop_i[i].rvc, ftq: uop_i[i].ftq},
                          psv: psv[i]};
  end
endmodule
