// dcache_victim with flat ports; one word of each way's line, and no fence.i.
module dcache_victim_tb
  import config_pkg::*;
  import line_pkg::*;
  import dcache_pkg::*;
  import lsu_pkg::*;
(
  input  logic        clk_i,
  input  logic        rst_ni,
  output logic [31:0] ways_o,
  input  logic        refill_next_i,
  input  logic [5:0]  refill_at_i,
  input  logic        refill_i,
  output logic        refill_may_o,
  input  logic        snoop_i,
  input  logic [5:0]  snoop_at_i,
  output logic        snoop_take_o,
  input  logic        writer_waits_i,
  output logic [5:0]  set_o,
  input  logic [3:0]  valid_i,
  input  logic [3:0]  dirty_i,
  input  logic [63:0] word_i [4],
  input  logic        room2_i,
  output logic [3:0]  victim_o,
  output logic        push_o,
  output logic [63:0] push_word_o
);
  dc_ways_t use_way [MemPorts], victim, clean;
  dc_set_t use_set [MemPorts], set;
  set_ask_t refill, snoop;
  old_line_t old [DcWays];
  wb_push_t push;
  logic clean_done;
  for (genvar p = 0; p < MemPorts; p++) begin : gen_use
    assign use_way[p] = '0;
    assign use_set[p] = '0;
  end
  for (genvar w = 0; w < DcWays; w++) begin : gen_way
    assign old[w] = '{valid: valid_i[w], owned: dirty_i[w], dirty: dirty_i[w], tag: '0, data: LineBits'(word_i[w])};
  end
  assign refill = '{valid: refill_next_i, at: dc_set_t'(refill_at_i)};
  assign snoop = '{valid: snoop_i, at: dc_set_t'(snoop_at_i)};
  dcache_victim u_dut (
    .clk_i, .rst_ni, .use_i(use_way), .use_set_i(use_set), .refill_next_i(refill), .refill_i, .refill_may_o,
    .snoop_i(snoop), .snoop_take_o, .writer_waits_i, .clean_i(1'b0), .clean_done_o(clean_done), .set_o(set),
    .old_i(old), .victim_o(victim), .clean_o(clean), .room_i(room2_i), .room2_i, .empty_i(1'b1), .push_o(push)
  );
  assign ways_o = DcWays;
  assign set_o = 6'(set);
  assign victim_o = 4'(victim);
  assign push_o = push.valid;
  assign push_word_o = push.data[63:0];
endmodule
