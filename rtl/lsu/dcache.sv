// L1 data cache: write-back, write-allocate, non-blocking, 64-byte lines, not-recently-used replacement.
//
//   M1: MemPorts lookups; a hit gives its 8-byte word, a miss its MSHR; one port may write its word when it hits.
//   R0: an MSHR with its data is selected (no drain and no AMO may enter EX: write_block_o).
//   R1: the victim goes to the write-back buffer if dirty, the line is written, its waiters wake (refill_o); a line
//   that the
//       bus has answered with an error is not written.
//
// Write-backs go out before reads, so memory sees a line's write before a later read of it.
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
  input  logic [MemPorts-1:0] look_write_i,    // write when it hits; one port at most
  input  word_t look_addr_i [MemPorts],
  input  word_t write_word_i,
  input  logic [7:0] write_mask_i,
  output logic [MemPorts-1:0] hit_o,
  output word_t word_o [MemPorts],
  output logic [MemPorts-1:0] miss_join_o,     // the line comes with MSHR miss_id_o
  output mshr_t miss_id_o [MemPorts],
  output logic miss_full_o,
  output logic write_block_o,
  // refills
  output refill_t refill_o,
  // fence.i
  input  logic clean_i,
  output logic clean_done_o,
  // memory
  output line_req_t dmem_req_o,
  input  logic dmem_ready_i,
  input  line_resp_t dmem_resp_i
);
  // ---- ways ----
  line_t look_line [MemPorts];
  logic [2:0] look_word [MemPorts];
  logic [MemPorts-1:0] way_hit [DcWays];
  word_t way_word [DcWays][MemPorts];
  dc_ways_t old_valid, old_dirty, victim, clean_way, write_way;
  dc_tag_t old_tag [DcWays];
  logic [LineBits-1:0] old_data [DcWays];
  dc_set_t old_set_q, refill_next_set, clean_next_set, write_set;
  logic [2:0] write_idx;
  word_t write_data;
  logic [LineBits-1:0] refill_data;

  for (genvar p = 0; p < MemPorts; p++) begin : gen_look
    assign look_line[p] = line_of(look_addr_i[p]);
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
      .old_set_i(old_set_q),
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
  logic [MemPorts-1:0] array_hit;
  word_t array_word [MemPorts];
  always_comb
    for (int p = 0; p < MemPorts; p++) begin
      array_hit[p] = 1'b0;
      array_word[p] = '0;
      for (int w = 0; w < DcWays; w++) begin
        array_hit[p] |= way_hit[w][p];
        array_word[p] |= way_word[w][p];
      end
    end

  if (IdealSockets != 0) begin : gen_ideal
    ideal_l1d u_ideal (.look_valid_i, .look_addr_i, .hit_i(array_hit), .word_i(array_word), .hit_o, .word_o);
  end else begin : gen_arrays
    assign hit_o = array_hit;
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
        for (int w = 0; w < DcWays; w++) write_way[w] = way_hit[w][p];
        old = word_o[p];
        write_set = look_line[p][DcSetBits-1:0];
        write_idx = look_word[p];
      end
    for (int b = 0; b < 8; b++) write_data[8*b+:8] = write_mask_i[b] ? write_word_i[8*b+:8] : old[8*b+:8];
  end

  // ---- misses ----
  logic req_valid, req_take, wb_valid, wb_take, wb_room1, wb_room2, wb_push;
  mshr_t req_id;
  line_t req_line, wb_line, push_line;
  logic [LineBits-1:0] wb_data, push_data;

  mshr_file u_mshr_file (
    .clk_i,
    .rst_ni,
    .miss_i(look_valid_i & look_fetch_i & ~hit_o),
    .spare_i(look_spare_i),
    .line_i(look_line),
    .join_o(miss_join_o),
    .id_o(miss_id_o),
    .full_o(miss_full_o),
    .req_valid_o(req_valid),
    .req_id_o(req_id),
    .req_line_o(req_line),
    .req_take_i(req_take),
    .resp_i(dmem_resp_i),
    .refill_room_i(wb_room2),
    .refill_next_o(write_block_o),
    .refill_next_set_o(refill_next_set),
    .refill_o,
    .refill_data_o(refill_data)
  );

  // ---- replacement: ways not used since all were; a free way first ----
  dc_ways_t used_q [DcSets];
  always_comb begin
    automatic dc_ways_t candidates = ~old_valid;
    if (candidates == '0) candidates = ~used_q[old_set_q];
    if (candidates == '0) candidates = dc_ways_t'(1);
    victim = refill_o.valid && !refill_o.error ? candidates & (~candidates + dc_ways_t'(1)) : '0;
  end

  function automatic dc_ways_t use_way(input dc_ways_t used, input dc_ways_t way);
    use_way = (used | way) == '1 ? way : used | way;
  endfunction

  always_ff @(posedge clk_i) begin
    for (int p = 0; p < MemPorts; p++)
      if (hit_o[p])
        for (int w = 0; w < DcWays; w++)
          if (way_hit[w][p])
            used_q[look_line[p][DcSetBits-1:0]] <=
                use_way(used_q[look_line[p][DcSetBits-1:0]], dc_ways_t'(1) << w);
    // The use bits of an invalid way mean nothing, so nobody reads what the array held at reset.
    if (refill_o.valid && !refill_o.error) used_q[old_set_q] <= use_way(used_q[old_set_q] & old_valid, victim);
  end

  // ---- lines that leave ----
  // The set to be refilled or walked: chosen a cycle ahead, so that the arrays' read address is a register.
  always_ff @(posedge clk_i) old_set_q <= write_block_o ? refill_next_set : clean_next_set;

  dcache_clean u_dcache_clean (
    .clk_i,
    .rst_ni,
    .clean_i,
    .clean_done_o,
    .set_next_o(clean_next_set),
    .dirty_i(old_dirty),
    .may_push_i(!refill_o.valid && wb_room1),
    .wb_empty_i(!wb_valid),
    .push_o(clean_way)
  );

  always_comb begin
    automatic dc_ways_t leaves = (victim & old_valid & old_dirty) | clean_way;
    wb_push = leaves != '0;
    push_line = '0;
    push_data = '0;
    if (wb_push)
      for (int w = 0; w < DcWays; w++)
        if (leaves[w]) begin
          push_line = {old_tag[w], old_set_q};
          push_data = old_data[w];
        end
  end

  writeback_buffer u_writeback_buffer (
    .clk_i,
    .rst_ni,
    .push_i(wb_push),
    .push_line_i(push_line),
    .push_data_i(push_data),
    .room1_o(wb_room1),
    .room2_o(wb_room2),
    .valid_o(wb_valid),
    .line_o(wb_line),
    .data_o(wb_data),
    .take_i(wb_take)
  );

  assign wb_take = wb_valid && dmem_ready_i;
  assign req_take = !wb_valid && req_valid && dmem_ready_i;
  assign dmem_req_o = '{
    valid: wb_valid || req_valid,
    write: wb_valid,
    id: 5'(req_id),
    addr: word_t'({wb_valid ? wb_line : req_line, 6'd0}),
    data: wb_data
  };

  `include "assert.svh"
  dc_ways_t twin;  // ways that hold the line being refilled already
  for (genvar w = 0; w < DcWays; w++) begin : gen_twin
    assign twin[w] = old_valid[w] && old_tag[w] == refill_o.line[PaBits-7:DcSetBits];
  end
  `ASSERT(SetAhead, !refill_o.valid || old_set_q == refill_o.line[DcSetBits-1:0])
  `ASSERT(NoTwin, !refill_o.valid || twin == '0)
  `ASSERT(NoWriteInRefill, !(refill_o.valid && look_write_i != '0))
endmodule
