// L1 data cache: write-back, write-allocate, non-blocking, 64-byte lines, not-recently-used replacement.
//
//   M1: MemPorts lookups; a hit gives its 8-byte word, a miss its MSHR; one port may write its word when it hits.
//   R0: an MSHR with its data is selected (no drain and no AMO may enter EX: write_block_o).
//   R1: the victim goes to the write-back buffer if dirty, the line is written, its waiters wake (refill_o); a line
//       that the bus has answered with an error is not written.
//
// Lines are asked for and leave by ports of their own. With harts.coherent the cache is one of several that a hub keeps
// coherent (docs/reference/coherence.md): its lines have states, snoops take them away or share them.
`include "assert.svh"

module dcache
  import config_pkg::*;
  import core_pkg::*;
  import line_pkg::*;
  import dcache_pkg::*;
(
  input  logic clk_i,
  input  logic rst_ni,
  // M1 lookups
  input  logic [MemPorts-1:0] look_valid_i,
  input  logic [MemPorts-1:0] look_fetch_i,    // fetch the line on a miss
  input  mshr_rank_e look_rank_i [MemPorts],   // ... in an MSHR that it gets
  input  look_ask_t look_ask_i [MemPorts],
  input  logic [MemPorts-1:0] look_write_i,    // write when it hits; one port at most; only where HUB_OWN is asked
  input  word_t look_addr_i [MemPorts],
  input  word_t write_word_i,
  input  logic [7:0] write_mask_i,
  output logic [MemPorts-1:0] hit_o,           // it is good for what was asked
  output logic [MemPorts-1:0] upgrade_o,       // the line is here, but must not be written: not a miss
  output word_t word_o [MemPorts],
  output logic [MemPorts-1:0] miss_join_o,     // the line comes with MSHR miss_id_o
  output mshr_t miss_id_o [MemPorts],
  output logic miss_full_o,
  output logic write_block_o,                  // no write in M1 in the next cycle
  input  logic writer_waits_i,                 // a drain or an AMO must not wait for more than one refill
  // refills
  output refill_t refill_o,
  // fence.i
  input  logic clean_i,
  output logic clean_done_o,
  // memory or the hub
  output lines_out_t lines_o,
  /* verilator lint_off UNUSEDSIGNAL */  // one of the two
  input  lines_in_t lines_i,
  /* verilator lint_on UNUSEDSIGNAL */
  output lost_t lost_o                         // registered: in the cycle after the arrays have changed
);
  // ---- ways ----
  line_t look_line [MemPorts];
  logic [2:0] look_word [MemPorts];
  logic [MemPorts-1:0] way_hit [DcWays];
  word_t way_word [DcWays][MemPorts];
  dc_ways_t victim, clean_way, share_way, drop_way, write_way, look_way [MemPorts];
  logic [MemPorts-1:0] way_owned [DcWays];
  old_line_t old [DcWays];
  dc_set_t old_set, drop_set, write_set, look_set [MemPorts];
  /* verilator lint_off UNUSEDSIGNAL */  // without harts.coherent, as wb_snoop
  arrival_t arrival;
  wb_snoop_t wb_snoop;
  /* verilator lint_on UNUSEDSIGNAL */
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
      .owned_o(way_owned[w]),
      .old_set_i(old_set),
      .old_o(old[w]),
      .refill_i(victim[w]),
      .refill_tag_i(refill_o.line[PaBits-7:DcSetBits]),
      .refill_data_i(refill_data),
      .refill_owned_i(arrival.owned),
      .refill_dirty_i(arrival.dirty),
      .disown_i(share_way[w]),
      .drop_i(drop_way[w]),
      .drop_set_i(drop_set),
      .clean_i(clean_way[w] || share_way[w]),
      .write_i(write_way[w]),
      .write_set_i(write_set),
      .write_word_i(write_idx),
      .write_data_i(write_data)
    );
  end

  // ---- lookups ----
  logic [MemPorts-1:0] there, own, owned, good;
  logic blocked_q;  // refill or act: drains and AMOs keep out, and a hint takes a shared copy for good
  word_t array_word [MemPorts];
  always_comb
    for (int p = 0; p < MemPorts; p++) begin
      array_word[p] = '0;
      owned[p] = 1'b0;
      for (int w = 0; w < DcWays; w++) begin
        look_way[p][w] = way_hit[w][p];
        array_word[p] |= way_word[w][p];
        owned[p] |= way_owned[w][p];
      end
      there[p] = look_way[p] != '0;
      own[p] = look_ask_i[p].kind == hub_pkg::HUB_OWN && !blocked_q;
    end
  assign good = there & (~own | owned);
  assign upgrade_o = there & ~good;
  if (Coherent) begin : gen_blocked
    always_ff @(posedge clk_i) blocked_q <= rst_ni && write_block_o;
  end else begin : gen_free
    assign blocked_q = 1'b0;
  end

  if (IdealSockets != 0) begin : gen_ideal
    ideal_l1d u_ideal (.look_valid_i, .look_addr_i, .hit_i(good), .word_i(array_word), .hit_o, .word_o);
  end else begin : gen_arrays
    assign hit_o = good;
    assign word_o = array_word;
  end

  // The word as it will be, at the port that writes.
  always_comb begin
    automatic word_t was = '0;
    write_way = '0;
    write_set = '0;
    write_idx = '0;
    for (int p = 0; p < MemPorts; p++)
      if (look_write_i[p]) begin
        write_way = good[p] ? look_way[p] : '0;
        was = word_o[p];
        write_set = look_set[p];
        write_idx = look_word[p];
      end
    for (int b = 0; b < 8; b++) write_data[8*b+:8] = write_mask_i[b] ? write_word_i[8*b+:8] : was[8*b+:8];
  end

  // ---- misses ----
  logic wb_room1, wb_room2, wb_empty, refill_may, arrives, snoop_take, wb_snoop_take;
  wb_vec_t wb_found [MemPorts];
  wb_push_t wb_push;
  line_t wb_snoop_line;
  set_ask_t refill_next, snoop_next;
  put_in_t put_in;
  assign arrives = refill_o.valid && !refill_o.error && !refill_o.refused;
  assign write_block_o = refill_next.valid || snoop_take;

  mshr_file u_mshr_file (
    .clk_i,
    .rst_ni,
    .miss_i(look_valid_i & look_fetch_i & ~hit_o),
    .rank_i(look_rank_i),
    .line_i(look_line),
    .ask_i(look_ask_i),
    .leaves_i(wb_found),
    .gone_i(put_in.done),
    .join_o(miss_join_o),
    .id_o(miss_id_o),
    .full_o(miss_full_o),
    .get_o(lines_o.get),
    .get_i(lines_i.get),
    .refill_room_i(refill_may),
    .refill_next_o(refill_next),
    .refill_o,
    .arrival_o(arrival),
    .refill_data_o(refill_data)
  );

  // ---- lines that leave ----
  dcache_victim u_dcache_victim (
    .clk_i,
    .rst_ni,
    .use_i(look_way),
    .use_set_i(look_set),
    .refill_next_i(refill_next),
    .refill_i(arrives),
    .refill_may_o(refill_may),
    .snoop_i(snoop_next),
    .snoop_take_o(snoop_take),
    .writer_waits_i,
    .clean_i,
    .clean_done_o,
    .set_o(old_set),
    .old_i(old),
    .victim_o(victim),
    .clean_o(clean_way),
    .room_i(wb_room1),
    .room2_i(wb_room2),
    .empty_i(wb_empty),
    .push_o(wb_push)
  );

  writeback_buffer u_writeback_buffer (
    .clk_i,
    .rst_ni,
    .push_i(wb_push),
    .room1_o(wb_room1),
    .room2_o(wb_room2),
    .empty_o(wb_empty),
    .look_line_i(look_line),
    .look_found_o(wb_found),
    .snoop_line_i(wb_snoop_line),
    .snoop_take_i(wb_snoop_take),
    .snoop_o(wb_snoop),
    .put_o(lines_o.put),
    .put_i(put_in)
  );

  // ---- other caches ----
  if (Coherent) begin : gen_coherent
    dc_ways_t snoop_drop;
    logic act;
    dcache_snoop u_dcache_snoop (
      .clk_i, .rst_ni, .down_i(lines_i.down), .up_o(lines_o.up), .set_o(snoop_next), .set_take_i(snoop_take),
      .old_i(old), .act_o(act), .drop_o(snoop_drop), .share_o(share_way), .wb_line_o(wb_snoop_line),
      .wb_take_o(wb_snoop_take), .wb_i(wb_snoop), .put_i(lines_o.put), .put_o(put_in), .lost_o
    );
    dcache_hold u_dcache_hold (
      .clk_i, .rst_ni, .arrives_i(arrives), .refill_i(refill_o), .arrival_i(arrival), .hit_i(look_valid_i & hit_o),
      .write_i(look_write_i), .line_i(look_line), .done_o(lines_o.done)
    );
    // A shared copy goes when its line is asked for as the only one: never in an act.
    always_comb begin
      drop_way = snoop_drop;
      drop_set = old_set;
      for (int p = 0; p < MemPorts; p++)
        if (upgrade_o[p] && look_fetch_i[p] && miss_join_o[p]) begin
          drop_way = look_way[p];
          drop_set = look_set[p];
        end
    end
    `ASSERT(NoWriteInSnoop, !(act && (look_write_i | upgrade_o) != '0))
  end else begin : gen_alone
    assign {snoop_next, share_way, drop_way, drop_set, wb_snoop_line, wb_snoop_take, lost_o} = '0;
    assign {lines_o.up, lines_o.done} = '0;
    assign put_in = lines_i.put;
  end

  dc_ways_t twin;  // ways that hold the line being refilled already
  for (genvar w = 0; w < DcWays; w++) begin : gen_twin
    assign twin[w] = old[w].valid && old[w].tag == refill_o.line[PaBits-7:DcSetBits];
  end
  `ASSERT(SetAhead, !refill_o.valid || old_set == refill_o.line[DcSetBits-1:0])
  `ASSERT(NoTwin, !refill_o.valid || twin == '0)
  `ASSERT(NoWriteInRefill, !(refill_o.valid && look_write_i != '0))
  `ASSERT(WriteOwns, (look_write_i & ~own) == '0)
endmodule
