// load_queue with flat ports, one port of each kind in use: what the search for loads that ran ahead needs, no more.
module load_queue_tb
  import config_pkg::*;
  import core_pkg::*;
  import dcache_pkg::*;
  import lsu_pkg::*;
(
  input  logic clk_i,
  input  logic rst_ni,
  output int entries_o,
  output int store_entries_o,
  output int rob_entries_o,
  output logic load_order_o,
  // squash: instructions after squash_rob_i
  input  logic squash_i,
  input  logic [15:0] squash_rob_i,  // {wrap, idx} in the configuration's width, as all places
  input  logic [15:0] squash_lq_i,
  // dispatch: one load
  input  logic dis_i,
  input  logic [15:0] dis_rob_i,
  output logic [15:0] dis_lq_o,
  output logic full_o,
  input  logic leaves_i,             // the oldest
  // EX
  input  logic ex_i,
  input  logic [15:0] ex_rob_i,
  input  logic [15:0] ex_lq_i,
  input  logic [15:0] ex_sq_i,       // stores before it are older
  input  logic [63:0] ex_addr_i,
  input  logic [1:0] ex_size_i,
  input  logic ex_hint_i,
  // M1: it has its data, from that store where fwd_i
  input  logic res_i,
  input  logic [15:0] res_lq_i,
  input  logic res_fwd_i,
  input  logic [15:0] res_sq_i,
  // a store searches; a line is lost
  input  logic search_i,
  input  logic [63:0] search_addr_i,
  input  logic [1:0] search_size_i,
  input  logic [15:0] search_rob_i,
  input  logic [15:0] search_sq_i,
  input  logic lost_i,
  input  logic [63:0] lost_addr_i,   // any of the line
  output logic violation_o,
  output logic [15:0] violation_rob_o,
  output logic snooped_o
);
  assign load_order_o = LoadOrder != 0;
  assign {entries_o, store_entries_o, rob_entries_o} = {LqEntries, SqEntries, RobEntries};

  squash_t squash;
  assign squash = '{valid: squash_i, all: 1'b0, rob: squash_rob_i[RobIdxBits-1:0], snapshot: '0,
                    lq_tail: squash_lq_i[LqBits-1:0], sq_tail: '0};
  rob_idx_t dis_rob [CoreWidth];
  lq_idx_t dis_lq [CoreWidth];
  logic [CoreWidth-1:0] dis_full;
  load_ask_t ex [MemPorts], pick [MemPorts], dev;
  load_result_t result [MemPorts];
  store_search_t search [MemPorts];
  store_ex_t store_ex [MemPorts];
  access_t [CoreWidth-1:0] left;
  load_met_t met;
  violation_t violation;

  always_comb begin
    for (int i = 0; i < CoreWidth; i++) dis_rob[i] = dis_rob_i[RobIdxBits-1:0] + RobIdxBits'(i);
    for (int p = 0; p < MemPorts; p++) begin
      ex[p] = '0;
      result[p] = '0;
      search[p] = '0;
      store_ex[p] = '0;
    end
    ex[0].valid = ex_i;
    ex[0].addr = ex_addr_i;
    ex[0].info.rob = ex_rob_i[RobIdxBits-1:0];
    ex[0].info.lq = ex_lq_i[LqBits-1:0];
    ex[0].info.sq = ex_sq_i[SqBits-1:0];
    ex[0].info.size = ex_size_i;
    ex[0].info.hint = ex_hint_i;
    result[0].valid = res_i;
    result[0].lq = res_lq_i[LqBits-1:0];
    result[0].result = RES_DONE;
    result[0].fwd = res_fwd_i;
    result[0].sq = res_sq_i[SqBits-1:0];
    search[0].valid = search_i;
    search[0].addr = search_addr_i;
    search[0].info = '{rob: search_rob_i[RobIdxBits-1:0], sq: search_sq_i[SqBits-1:0],
                       mask: byte_mask(search_size_i, search_addr_i[2:0])};
  end

  load_queue u_dut (
    .clk_i, .rst_ni, .squash_i(squash), .dis_load_i(CoreWidth'(dis_i)), .dis_fire_i(CoreWidth'(dis_i)),
    .dis_rob_i(dis_rob), .dis_lq_o(dis_lq), .dis_full_o(dis_full), .com_loads_i($bits(count_t)'(leaves_i)),
    .left_o(left), .ex_i(ex), .ex_bump_i('0), .pick_o(pick), .pick_take_i('0), .res_i(result), .met_o(met),
    .keep_i(1'b1), .refill_i('0), .free_i('0), .st_ex_i(store_ex), .dev_o(dev),
    .dev_start_i(1'b0), .search_i(search), .lost_i('{valid: lost_i, line: line_of(lost_addr_i)}),
    .violation_o(violation)
  );
  assign dis_lq_o = 16'(dis_lq[0]);
  assign full_o = dis_full[0];
  assign violation_o = violation.valid;
  assign snooped_o = violation.snooped;
  assign violation_rob_o = 16'(violation.rob);
endmodule
