// squash_unit with flat ports of fixed size; ROB indices are {wrap, index} with the index in bits 14:0.
module squash_unit_tb
  import config_pkg::*;
  import core_pkg::*;
  import port_pkg::*;
(
  input  logic        clk_i,
  input  logic        rst_ni,
  output logic [31:0] branch_ports_o,
  output logic [31:0] rob_entries_o,
  input  logic        all_i,
  input  logic [15:0] all_rob_i,
  input  logic [63:0] all_pc_i,
  input  logic [7:0]  all_ftq_i,
  input  logic [5:0]  all_offset_i,
  input  logic        all_invalidate_i,
  input  logic [1:0]  valid_i,
  input  logic [1:0]  mispredict_i,
  input  logic [1:0]  taken_i,
  input  logic [15:0] rob_i [2],
  input  logic [7:0]  snapshot_i [2],
  input  logic [7:0]  ftq_i [2],
  input  logic [63:0] target_i [2],
  input  logic [5:0]  offset_i [2],
  output logic        squash_o,
  output logic        squash_all_o,
  output logic [15:0] squash_rob_o,
  output logic [7:0]  squash_snapshot_o,
  output logic [7:0]  squash_lq_o,
  output logic [7:0]  squash_sq_o,
  output logic        redirect_o,
  output logic [63:0] redirect_pc_o,
  output logic [7:0]  redirect_ftq_o,
  output logic        redirect_branch_o,
  output logic        redirect_taken_o,
  output logic [5:0]  redirect_offset_o,
  output logic        invalidate_o
);
  function automatic rob_idx_t narrow(input logic [15:0] wide);
    narrow = '{wrap: wide[15], idx: wide[RobIdxBits-2:0]};
  endfunction

  resolve_t resolve [BranchPorts];
  snapshot_t read_id;
  squash_t squash;
  redirect_t redirect;
  always_comb
    for (int p = 0; p < BranchPorts; p++)
      resolve[p] = '{valid: valid_i[p], mispredict: valid_i[p] && mispredict_i[p], taken: taken_i[p],
                     rob: narrow(rob_i[p]), snapshot: snapshot_t'(snapshot_i[p]), ftq: ftq_idx_t'(ftq_i[p]),
                     target: target_i[p], offset: offset_i[p]};
  // Queue tails that a snapshot stands for are made from its number.
  squash_unit u_squash_unit (
    .clk_i, .rst_ni, .all_i, .all_rob_i(narrow(all_rob_i)), .all_pc_i, .all_ftq_i(ftq_idx_t'(all_ftq_i)), .all_offset_i,
    .all_invalidate_i, .resolve_i(resolve), .read_id_o(read_id), .read_lq_i(lq_idx_t'(read_id)),
    .read_sq_i(~sq_idx_t'(read_id)), .squash_o(squash), .redirect_o(redirect)
  );
  assign squash_o = squash.valid;
  assign squash_all_o = squash.all;
  assign squash_rob_o = {squash.rob.wrap, 15'(squash.rob.idx)};
  assign squash_snapshot_o = 8'(squash.snapshot);
  assign squash_lq_o = 8'(snapshot_t'(squash.lq_tail));
  assign squash_sq_o = 8'(snapshot_t'(~squash.sq_tail));
  assign redirect_o = redirect.valid;
  assign redirect_pc_o = redirect.pc;
  assign redirect_ftq_o = 8'(redirect.ftq);
  assign redirect_branch_o = redirect.branch;
  assign redirect_taken_o = redirect.taken;
  assign redirect_offset_o = redirect.offset;
  assign invalidate_o = redirect.icache_invalidate;
  assign branch_ports_o = BranchPorts;
  assign rob_entries_o = RobEntries;
endmodule
