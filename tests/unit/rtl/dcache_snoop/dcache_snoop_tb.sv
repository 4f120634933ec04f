// dcache_snoop with flat ports: the set that it looks at has the snooped line in one way or none, and others beside; of
// data the lowest and the highest word.
module dcache_snoop_tb
  import config_pkg::*;
  import line_pkg::*;
  import dcache_pkg::*;
  import lsu_pkg::*;
(
  input  logic        clk_i,
  input  logic        rst_ni,
  output logic [31:0] ways_o,
  output logic [31:0] sets_o,
  output logic [31:0] depth_o,
  input  logic        down_i,
  input  logic [2:0]  down_kind_i,
  input  logic [4:0]  down_tag_i,
  input  logic [63:0] down_line_i,
  output logic        set_o,
  output logic [15:0] set_at_o,
  input  logic        set_take_i,
  input  logic [63:0] way_line_i [4],
  input  logic [3:0]  way_valid_i,
  input  logic [3:0]  way_owned_i,
  input  logic [3:0]  way_dirty_i,
  input  logic [63:0] way_word_i [4],
  output logic        act_o,
  output logic [3:0]  drop_o,
  output logic [3:0]  share_o,
  output logic [63:0] wb_line_o,
  output logic        wb_take_o,
  input  logic        live_i,
  input  logic [63:0] live_word_i,
  input  logic        put_i,
  input  logic [7:0]  put_id_i,
  input  logic [63:0] put_line_i,
  input  logic        put_has_i,
  input  logic [63:0] put_word_i,
  output logic        put_take_o,
  output logic [15:0] put_done_o,
  output logic        up_o,
  output logic        up_put_o,
  output logic [4:0]  up_tag_o,
  output logic [63:0] up_line_o,
  output logic [3:0]  up_flags_o,            // has, keeps, gave, refuses: from bit 0 on
  output logic [63:0] up_low_o,
  output logic [63:0] up_high_o,
  output logic        lost_o,
  output logic [63:0] lost_line_o
);
  hub_pkg::hub_down_t down;
  hub_pkg::hub_up_t up;
  set_ask_t set;
  old_line_t old [DcWays];
  dc_ways_t drop, share;
  line_t wb_line;
  wb_snoop_t wb;
  put_t put;
  put_in_t put_in;
  lost_t lost;
  assign down = '{valid: down_i, kind: hub_pkg::hub_down_e'(down_kind_i), tag: down_tag_i, line: down_line_i[57:0]};
  for (genvar w = 0; w < DcWays; w++) begin : gen_way
    assign old[w] = '{valid: way_valid_i[w], owned: way_owned_i[w], dirty: way_dirty_i[w],
                      tag: way_line_i[w][PaBits-7:DcSetBits],
                      data: {~way_word_i[w], {LineBits - 128{1'b0}}, way_word_i[w]}};
  end
  assign wb = '{live: live_i, data: {~live_word_i, {LineBits - 128{1'b0}}, live_word_i}};
  assign put = '{valid: put_i, id: wb_idx_t'(put_id_i), line: line_t'(put_line_i), has: put_has_i,
                 data: {~put_word_i, {LineBits - 128{1'b0}}, put_word_i}};
  dcache_snoop u_dut (
    .clk_i, .rst_ni, .down_i(down), .up_o(up), .set_o(set), .set_take_i, .old_i(old), .act_o, .drop_o(drop),
    .share_o(share), .wb_line_o(wb_line), .wb_take_o, .wb_i(wb), .put_i(put), .put_o(put_in), .lost_o(lost)
  );
  assign ways_o = DcWays;
  assign sets_o = DcSets;
  assign depth_o = hub_pkg::MostTransactions + 1 + WbEntries;
  assign set_o = set.valid;
  assign set_at_o = 16'(set.at);
  assign drop_o = 4'(drop);
  assign share_o = 4'(share);
  assign wb_line_o = 64'(wb_line);
  assign put_take_o = put_in.take;
  assign put_done_o = 16'(put_in.done);
  assign up_o = up.valid;
  assign up_put_o = up.put;
  assign up_tag_o = up.tag;
  assign up_line_o = 64'(up.line);
  assign up_flags_o = {up.refuses, up.gave, up.keeps, up.has};
  assign up_low_o = up.data[63:0];
  assign up_high_o = up.data[LineBits-1 -: 64];
  assign lost_o = lost.valid;
  assign lost_line_o = 64'(lost.line);
endmodule
