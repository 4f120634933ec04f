// L1 data cache: write-back, write-allocate, non-blocking, 64-byte lines, not-recently-used replacement.
//
//   M1: MemPorts lookups; a hit gives its 8-byte word, a miss its MSHR; one port may write its word when it hits.
//   R0: an MSHR with its data is selected (no drain and no AMO may enter EX: write_block_o).
//   R1: the victim goes to the write-back buffer if dirty, the line is written, its waiters wake (refill_o); a line
//       that the bus has answered with an error is not written.
//
// Lines are asked for and leave by ports of their own.
module dcache
  import config_pkg::*;
  import core_pkg::*;
  import line_pkg::*;
  import lsu_pkg::*;
(
  input  logic clk_i,
  input  logic rst_ni,
  // M1 lookups
  input  logic [MemPorts-1:0] look_valid_i,
  input  logic [MemPorts-1:0] look_fetch_i,    // fetch the line on a miss
  input  logic [MemPorts-1:0] look_spare_i,    // ... but leave an MSHR free
  input  logic [MemPorts-1:0] look_own_i,      // hit only a line that this cache may write
  input  logic [MemPorts-1:0] look_write_i,    // write when it hits; one port at most; only with look_own_i
  input  word_t look_addr_i [MemPorts],
  input  word_t write_word_i,
  input  logic [7:0] write_mask_i,
  output logic [MemPorts-1:0] hit_o,           // it is good for what was asked
  output logic [MemPorts-1:0] upgrade_o,       // the line is here, but must not be written: not a miss
  output word_t word_o [MemPorts],
  output logic [MemPorts-1:0] miss_join_o,     // the line comes with MSHR miss_id_o
  output mshr_t miss_id_o [MemPorts],
  output logic miss_full_o,
  output logic write_block_o,
  input  logic writer_waits_i,                 // a drain or an AMO must not wait for more than one refill
  // refills
  output refill_t refill_o,
  // fence.i
  input  logic clean_i,
  output logic clean_done_o,
  // memory
  output get_t get_o,
  input  get_in_t get_i,
  output put_t put_o,
  input  put_in_t put_i
);
  // ---- ways ----
  line_t look_line [MemPorts];
  logic [2:0] look_word [MemPorts];
  logic [MemPorts-1:0] way_hit [DcWays];
  word_t way_word [DcWays][MemPorts];
  dc_ways_t old_valid, old_dirty, victim, clean_way, write_way, look_way [MemPorts];
  dc_tag_t old_tag [DcWays];
  logic [LineBits-1:0] old_data [DcWays];
  dc_set_t old_set, refill_next_set, write_set, look_set [MemPorts];
  logic [2:0] write_idx;
  word_t write_data;
  logic [LineBits-1:0] refill_data;

  for (genvar p = 0; p < MemPorts; p++) begin : gen_look
    assign look_line[p] = line_of(look_addr_i[p]);
    assign look_set[p] = look_line[p][DcSetBits-1:0];
    assign look_word[p] = look_addr_i[p][5:3];
  end

  for (genvar w = 0; w < DcWays; w++) begin : gen_way
    dcache_way u_way (
      .clk_i,
      .rst_ni,
      .look_valid_i,
      .look_line_i(look_line),
      .look_word_i(look_word),
      .hit_o(way_hit[w]),
      .word_o(way_word[w]),
      .old_set_i(old_set),
      .old_valid_o(old_valid[w]),
      .old_dirty_o(old_dirty[w]),
      .old_tag_o(old_tag[w]),
      .old_data_o(old_data[w]),
      .refill_i(victim[w]),
      .refill_tag_i(refill_o.line[PaBits-7:DcSetBits]),
      .refill_data_i(refill_data),
      .clean_i(clean_way[w]),
      .write_i(write_way[w]),
      .write_set_i(write_set),
      .write_word_i(write_idx),
      .write_data_i(write_data)
    );
  end

  // ---- lookups ----
  logic [MemPorts-1:0] there, good;
  word_t array_word [MemPorts];
  always_comb
    for (int p = 0; p < MemPorts; p++) begin
      array_word[p] = '0;
      for (int w = 0; w < DcWays; w++) begin
        look_way[p][w] = way_hit[w][p];
        array_word[p] |= way_word[w][p];
      end
      there[p] = look_way[p] != '0;
    end
  // No other cache: what is here may be written.
  localparam logic [MemPorts-1:0] Owned = '1;
  assign good = there & (~look_own_i | Owned);
  assign upgrade_o = there & ~good;

  if (IdealSockets != 0) begin : gen_ideal
    ideal_l1d u_ideal (.look_valid_i, .look_addr_i, .hit_i(good), .word_i(array_word), .hit_o, .word_o);
  end else begin : gen_arrays
    assign hit_o = good;
    assign word_o = array_word;
  end

  // The word as it will be, at the port that writes.
  always_comb begin
    automatic word_t old = '0;
    write_way = '0;
    write_set = '0;
    write_idx = '0;
    for (int p = 0; p < MemPorts; p++)
      if (look_write_i[p]) begin
        write_way = good[p] ? look_way[p] : '0;
        old = word_o[p];
        write_set = look_set[p];
        write_idx = look_word[p];
      end
    for (int b = 0; b < 8; b++) write_data[8*b+:8] = write_mask_i[b] ? write_word_i[8*b+:8] : old[8*b+:8];
  end

  // ---- misses ----
  logic wb_room1, wb_room2, wb_empty, wb_push, refill_may;
  wb_vec_t wb_found [MemPorts];
  line_t push_line;
  logic [LineBits-1:0] push_data;

  mshr_file u_mshr_file (
    .clk_i,
    .rst_ni,
    .miss_i(look_valid_i & look_fetch_i & ~hit_o),
    .spare_i(look_spare_i),
    .line_i(look_line),
    .leaves_i(wb_found),
    .gone_i(put_i.done),
    .join_o(miss_join_o),
    .id_o(miss_id_o),
    .full_o(miss_full_o),
    .req_valid_o(get_o.valid),
    .req_id_o(get_o.id),
    .req_line_o(get_o.line),
    .req_take_i(get_i.take),
    .resp_i(get_i.resp),
    .refill_room_i(refill_may),
    .refill_next_o(write_block_o),
    .refill_next_set_o(refill_next_set),
    .refill_o,
    .refill_data_o(refill_data)
  );

  // ---- lines that leave ----
  dcache_victim u_dcache_victim (
    .clk_i,
    .rst_ni,
    .use_i(look_way),
    .use_set_i(look_set),
    .refill_next_i(write_block_o),
    .refill_next_set_i(refill_next_set),
    .refill_i(refill_o.valid && !refill_o.error),
    .refill_may_o(refill_may),
    .writer_waits_i,
    .clean_i,
    .clean_done_o,
    .set_o(old_set),
    .valid_i(old_valid),
    .dirty_i(old_dirty),
    .tag_i(old_tag),
    .data_i(old_data),
    .victim_o(victim),
    .clean_o(clean_way),
    .room_i(wb_room1),
    .room2_i(wb_room2),
    .empty_i(wb_empty),
    .push_o(wb_push),
    .push_line_o(push_line),
    .push_data_o(push_data)
  );

  writeback_buffer u_writeback_buffer (
    .clk_i,
    .rst_ni,
    .push_i(wb_push),
    .push_line_i(push_line),
    .push_data_i(push_data),
    .room1_o(wb_room1),
    .room2_o(wb_room2),
    .empty_o(wb_empty),
    .look_line_i(look_line),
    .look_found_o(wb_found),
    .put_o,
    .put_i
  );

  `include "assert.svh"
  dc_ways_t twin;  // ways that hold the line being refilled already
  for (genvar w = 0; w < DcWays; w++) begin : gen_twin
    assign twin[w] = old_valid[w] && old_tag[w] == refill_o.line[PaBits-7:DcSetBits];
  end
  `ASSERT(SetAhead, !refill_o.valid || old_set == refill_o.line[DcSetBits-1:0])
  `ASSERT(NoTwin, !refill_o.valid || twin == '0)
  `ASSERT(NoWriteInRefill, !(refill_o.valid && look_write_i != '0))
  `ASSERT(WriteOwns, (look_write_i & ~look_own_i) == '0)
endmodule
