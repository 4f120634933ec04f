// The four rename modules, put together as in the core. Ports are flat and of fixed size.
module rename_tb
  import config_pkg::*;
  import instructions_pkg::*;
  import core_pkg::*;
  import port_pkg::*;
  import decode_pkg::*;
  import rename_pkg::*;
(
  input  logic        clk_i,
  input  logic        rst_ni,
  output logic [31:0] width_o,
  output logic [31:0] pregs_o,
  output logic [31:0] branches_o,
  output logic [31:0] branch_ports_o,
  output logic [31:0] wakes_o,
  input  logic        squash_i,
  input  logic        squash_all_i,
  input  logic [7:0]  squash_snapshot_i,
  // dispatch
  input  logic [7:0]  valid_i,
  input  logic [7:0]  rd_valid_i,
  input  logic [7:0]  branch_i,
  input  logic [4:0]  rd_i [8],
  input  logic [4:0]  rs1_i [8],
  input  logic [4:0]  rs2_i [8],
  input  logic [7:0]  lq_i [8],
  input  logic [7:0]  sq_i [8],
  input  logic [7:0]  fire_i,
  output logic [15:0] pd_o [8],
  output logic [15:0] ps1_o [8],
  output logic [15:0] ps2_o [8],
  output logic [15:0] old_o [8],
  output logic [7:0]  empty_o,
  output logic [7:0]  full_o,
  output logic [7:0]  id_o [8],
  output logic [7:0]  ready1_o,
  output logic [7:0]  ready2_o,
  // results
  input  logic [15:0] wake_i,
  input  logic [15:0] wake_tag_i [16],
  input  logic [7:0]  resolve_i,
  input  logic [7:0]  resolve_id_i [8],
  input  logic [7:0]  read_id_i,
  output logic [7:0]  read_lq_o,
  output logic [7:0]  read_sq_o,
  // commit, by age
  input  logic [7:0]  com_valid_i,
  input  logic [4:0]  com_rd_i [8],
  input  logic [15:0] com_pd_i [8],
  input  logic [15:0] com_old_i [8]
);
  squash_t squash;
  logic [CoreWidth-1:0] want_pd, want_snap, empty, full, ready1, ready2;
  decoded_t uop [CoreWidth];
  preg_t pd [CoreWidth], ps1 [CoreWidth], ps2 [CoreWidth], old [CoreWidth], com_pd [CoreWidth], com_old [CoreWidth];
  wake_t wake [Wakes];
  snapshot_t id [CoreWidth], resolve_id [BranchPorts];
  free_ptr_t free_head [CoreWidth], squash_free_head, squash_fp_free_head;
  logic [CoreWidth-1:0] ready3;  // third sources and the second list are only with floating point
  preg_t ps3 [CoreWidth];
  lq_idx_t lq [CoreWidth], read_lq;
  sq_idx_t sq [CoreWidth], read_sq;
  areg_t com_rd [CoreWidth];

  always_comb begin
    squash = '0;
    squash.valid = squash_i;
    squash.all = squash_all_i;
    squash.snapshot = snapshot_t'(squash_snapshot_i);
    for (int i = 0; i < CoreWidth; i++) begin
      uop[i] = '0;
      uop[i].rd_valid = rd_valid_i[i];
      uop[i].rd = areg_t'(rd_i[i]);
      uop[i].rs1 = areg_t'(rs1_i[i]);
      uop[i].rs2 = areg_t'(rs2_i[i]);
      lq[i] = lq_idx_t'(lq_i[i]);
      sq[i] = sq_idx_t'(sq_i[i]);
      com_rd[i] = areg_t'(com_rd_i[i]);
      com_pd[i] = preg_t'(com_pd_i[i]);
      com_old[i] = preg_t'(com_old_i[i]);
    end
    for (int p = 0; p < BranchPorts; p++) resolve_id[p] = snapshot_t'(resolve_id_i[p]);
    for (int w = 0; w < Wakes; w++) wake[w] = '{valid: wake_i[w], tag: preg_t'(wake_tag_i[w])};
  end
  assign want_pd = valid_i[CoreWidth-1:0] & rd_valid_i[CoreWidth-1:0];
  assign want_snap = valid_i[CoreWidth-1:0] & branch_i[CoreWidth-1:0];

  free_list u_free_list (
    .clk_i, .rst_ni, .want_i(want_pd), .fire_i(fire_i[CoreWidth-1:0]), .pd_o(pd), .empty_o(empty),
    .squash_valid_i(squash_i), .squash_all_i, .squash_head_i(squash_free_head), .head_after_o(free_head),
    .com_valid_i(com_valid_i[CoreWidth-1:0]), .com_old_i(com_old)
  );
  map_table u_map_table (
    .clk_i, .rst_ni, .squash_i(squash), .valid_i(valid_i[CoreWidth-1:0]), .uop_i(uop), .pd_i(pd), .snap_i(want_snap),
    .snap_id_i(id), .fire_i(fire_i[CoreWidth-1:0]), .ps1_o(ps1), .ps2_o(ps2), .ps3_o(ps3), .old_o(old),
    .com_valid_i(com_valid_i[CoreWidth-1:0]), .com_rd_i(com_rd), .com_pd_i(com_pd)
  );
  branch_tracker u_branch_tracker (
    .clk_i, .rst_ni, .squash_i(squash), .want_i(want_snap), .fire_i(fire_i[CoreWidth-1:0]), .id_o(id), .full_o(full),
    .lq_i(lq), .sq_i(sq), .free_head_i(free_head), .fp_free_head_i(free_head), .done_i(resolve_i[BranchPorts-1:0]),
    .done_id_i(resolve_id), .read_id_i(snapshot_t'(read_id_i)), .read_lq_o(read_lq), .read_sq_o(read_sq),
    .squash_free_head_o(squash_free_head), .squash_fp_free_head_o(squash_fp_free_head)
  );
  busy_table u_busy_table (
    .clk_i, .rst_ni, .alloc_i(want_pd), .fire_i(fire_i[CoreWidth-1:0]), .pd_i(pd), .ps1_i(ps1), .ps2_i(ps2),
    .ps3_i(ps3), .ready1_o(ready1), .ready2_o(ready2), .ready3_o(ready3), .wake_i(wake)
  );

  always_comb
    for (int i = 0; i < 8; i++) begin
      pd_o[i] = '0;
      ps1_o[i] = '0;
      ps2_o[i] = '0;
      old_o[i] = '0;
      id_o[i] = '0;
      if (i < CoreWidth) begin
        pd_o[i] = 16'(pd[LaneBits'(i)]);
        ps1_o[i] = 16'(ps1[LaneBits'(i)]);
        ps2_o[i] = 16'(ps2[LaneBits'(i)]);
        old_o[i] = 16'(old[LaneBits'(i)]);
        id_o[i] = 8'(id[LaneBits'(i)]);
      end
    end
  assign empty_o = 8'(empty);
  assign full_o = 8'(full);
  assign ready1_o = 8'(ready1);
  assign ready2_o = 8'(ready2);
  assign read_lq_o = 8'(read_lq);
  assign read_sq_o = 8'(read_sq);
  assign width_o = CoreWidth;
  assign pregs_o = IntPregs;
  assign branches_o = Branches;
  assign branch_ports_o = BranchPorts;
  assign wakes_o = Wakes;
endmodule
