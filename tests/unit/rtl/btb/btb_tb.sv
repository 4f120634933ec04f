// Next-packet predictor with flat ports; addresses in bytes.
module btb_tb
  import config_pkg::*;
  import core_pkg::*;
  import fetch_pkg::*;
(
  input  logic        clk_i,
  input  logic        rst_ni,
  input  logic        read_i,
  input  logic [63:0] read_addr_i,
  input  logic [2:0]  start_i,
  input  logic [7:0]  predict_taken_i,
  input  logic [63:0] ras_top_i,
  output logic        taken_o,
  output logic [2:0]  slot_o,
  output logic [63:0] target_o,
  output logic [1:0]  hit_o,
  output logic [2:0]  hit_slot0_o,
  output logic [2:0]  hit_slot1_o,
  input  logic        train_i,
  input  logic [63:0] train_addr_i,
  input  logic [2:0]  train_last_i,
  input  logic [2:0]  train_kind_i,
  input  logic        train_taken_i,
  input  logic [1:0]  train_hit_i,
  input  logic [2:0]  train_slot0_i,
  input  logic [2:0]  train_slot1_i,
  input  logic [63:0] train_target_i
);
  packet_info_t info;
  always_comb begin
    info = '0;
    info.last = train_last_i[SlotBits-1:0];
    info.kind = cfi_e'(train_kind_i);
    info.taken = train_taken_i;
    info.btb_hit = train_hit_i;
    info.btb_slot0 = train_slot0_i[SlotBits-1:0];
    info.btb_slot1 = train_slot1_i[SlotBits-1:0];
  end
  slot_t slot;
  slot_t hit_slot [2];
  btb u_dut (
    .clk_i, .rst_ni, .read_i, .read_block_i(read_addr_i[63:OffsetBits]), .start_i(start_i[SlotBits-1:0]),
    .predict_taken_i(predict_taken_i[FetchWidth-1:0]), .ras_top_i, .taken_o, .slot_o(slot), .target_o, .hit_o,
    .hit_slot_o(hit_slot), .train_i, .train_block_i(train_addr_i[63:OffsetBits]), .train_info_i(info),
    .train_target_i(train_target_i[39:1])
  );
  assign slot_o = 3'(slot);
  assign hit_slot0_o = 3'(hit_slot[0]);
  assign hit_slot1_o = 3'(hit_slot[1]);
endmodule
