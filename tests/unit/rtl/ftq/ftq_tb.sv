// Fetch target queue with flat ports; history and what the direction predictor remembers as plain bits.
module ftq_tb
  import config_pkg::*;
  import core_pkg::*;
  import fetch_pkg::*;
(
  input  logic         clk_i,
  input  logic         rst_ni,
  output logic [31:0]  ras_bits_o,
  output logic [31:0]  meta_bits_o,
  output logic         ready_o,
  input  logic         push_i,
  output logic [7:0]   push_idx_o,
  input  logic [63:0]  push_block_i,     // in bytes
  input  logic [127:0] push_hist_i,
  input  logic [63:0]  push_meta_i,
  input  logic [7:0]   push_branches_i,
  input  logic [2:0]   push_last_i,
  input  logic [2:0]   push_kind_i,
  input  logic         push_taken_i,
  input  logic [7:0]   push_btb_i,       // hits, slots
  input  logic [63:0]  push_next_pc_i,
  input  logic [63:0]  push_ras_top_i,
  input  logic [7:0]   push_ras_ptr_i,
  input  logic         redirect_i,
  input  logic [7:0]   redirect_ftq_i,
  input  logic         redirect_branch_i,
  input  logic         redirect_taken_i,
  input  logic [5:0]   redirect_offset_i,
  input  logic [63:0]  redirect_pc_i,
  output logic [63:0]  redirect_block_o,
  output logic [127:0] redirect_hist_o,
  output logic [63:0]  redirect_ras_top_o,
  output logic [7:0]   redirect_ras_ptr_o,
  output logic [2:0]   redirect_kind_o,
  input  logic [7:0]   read_idx_i,
  output logic [63:0]  read_next_pc_o,
  input  logic         commit_i,
  input  logic [7:0]   commit_idx_i,
  output logic         train_o,
  output logic [63:0]  train_block_o,
  output logic [127:0] train_hist_o,
  output logic [63:0]  train_meta_o,
  output logic [7:0]   train_branches_o,
  output logic [2:0]   train_last_o,
  output logic [2:0]   train_kind_o,
  output logic         train_taken_o,
  output logic         train_mispredict_o,
  output logic [7:0]   train_btb_o,
  output logic [39:1]  train_target_o
);
  redirect_t redirect;
  packet_info_t push_info, train_info;
  redirect_past_t past;
  block_addr_t train_block;
  tage_meta_t train_meta;
  ftq_idx_t push_idx;
  assign redirect = '{valid: redirect_i, pc: redirect_pc_i, ftq: ftq_idx_t'(redirect_ftq_i), branch: redirect_branch_i,
                      taken: redirect_taken_i, offset: redirect_offset_i, icache_invalidate: 1'b0};
  assign push_info = '{branches: push_branches_i[FetchWidth-1:0], last: push_last_i[SlotBits-1:0],
                       kind: cfi_e'(push_kind_i), taken: push_taken_i, mispredict: 1'b0, btb_hit: push_btb_i[1:0],
                       btb_slot0: push_btb_i[2 +: SlotBits], btb_slot1: push_btb_i[5 +: SlotBits]};
  ftq u_dut (
    .clk_i, .rst_ni, .ready_o, .push_i, .push_idx_o(push_idx), .push_block_i(push_block_i[63:OffsetBits]), .push_hist_i,
    .push_meta_i(push_meta_i[$bits(tage_meta_t)-1:0]), .push_info_i(push_info), .push_next_pc_i,
    .push_ras_i('{ptr: push_ras_ptr_i[RasBits-1:0], top: push_ras_top_i}), .redirect_i(redirect), .redirect_o(past),
    .read_idx_i(ftq_idx_t'(read_idx_i)), .read_next_pc_o,
    .commit_valid_i(commit_i), .commit_idx_i(ftq_idx_t'(commit_idx_i)), .train_o, .train_block_o(train_block),
    .train_hist_o, .train_meta_o(train_meta), .train_info_o(train_info), .train_target_o
  );
  assign ras_bits_o = RasBits;
  assign meta_bits_o = $bits(tage_meta_t);
  assign push_idx_o = 8'(push_idx);
  assign redirect_block_o = {past.block, OffsetBits'(0)};
  assign redirect_hist_o = past.hist;
  assign redirect_ras_top_o = past.ras.top;
  assign redirect_ras_ptr_o = 8'(past.ras.ptr);
  assign redirect_kind_o = past.kind;
  assign train_block_o = {train_block, OffsetBits'(0)};
  assign train_meta_o = 64'(train_meta);
  assign train_branches_o = 8'(train_info.branches);
  assign train_last_o = 3'(train_info.last);
  assign train_kind_o = train_info.kind;
  assign train_taken_o = train_info.taken;
  assign train_mispredict_o = train_info.mispredict;
  assign train_btb_o = {3'(train_info.btb_slot1), 3'(train_info.btb_slot0), train_info.btb_hit};
endmodule
