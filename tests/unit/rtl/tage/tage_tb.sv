// Direction predictor with flat ports.
module tage_tb
  import config_pkg::*;
  import fetch_pkg::*;
(
  input  logic         clk_i,
  input  logic         rst_ni,
  input  logic         read_i,
  input  logic [23:0]  read_key_i,
  input  logic [127:0] read_hist_i,
  output logic [7:0]   taken_o,
  output logic [31:0]  provider_o,
  output logic [23:0]  ctr_o,
  output logic [7:0]   alt_o,
  output logic [63:0]  useful_o,
  input  logic         train_i,
  input  logic [23:0]  train_key_i,
  input  logic [127:0] train_hist_i,
  input  logic [31:0]  train_provider_i,
  input  logic [23:0]  train_ctr_i,
  input  logic [7:0]   train_alt_i,
  input  logic [63:0]  train_useful_i,
  input  logic [7:0]   train_branches_i,
  input  logic [2:0]   train_last_i,
  input  logic         train_taken_i,
  input  logic         train_mispredict_i
);
  slots_t taken;
  tage_meta_t meta, train_meta;
  always_comb begin
    train_meta.provider = train_provider_i[4*FetchWidth-1:0];
    train_meta.ctr = train_ctr_i[3*FetchWidth-1:0];
    train_meta.alt = train_alt_i[FetchWidth-1:0];
    train_meta.useful = train_useful_i[TageCount*FetchWidth-1:0];
  end
  tage u_dut (
    .clk_i, .rst_ni, .read_i, .read_key_i, .read_hist_i, .taken_o(taken), .meta_o(meta),
    .train_i, .train_key_i, .train_hist_i, .train_meta_i(train_meta),
    .train_branches_i(train_branches_i[FetchWidth-1:0]), .train_last_i(train_last_i[SlotBits-1:0]), .train_taken_i,
    .train_mispredict_i
  );
  assign taken_o = 8'(taken);
  assign provider_o = 32'(meta.provider);
  assign ctr_o = 24'(meta.ctr);
  assign alt_o = 8'(meta.alt);
  assign useful_o = 64'(meta.useful);
endmodule
