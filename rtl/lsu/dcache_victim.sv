// Replacement in the L1 data cache, and lines that leave it: victims of refills, and dirty lines that fence.i writes
// back. Who reads or changes a whole set asks here, for there is one such port.
//
// The set is chosen a cycle ahead, so that the arrays' read address is a register; a refill goes before fence.i. A
// refill keeps writers (drains, AMOs) out of M1: one that has been kept out goes before the next refill.
// Victim: a free way, else one that has not been used since all were.
module dcache_victim
  import config_pkg::*;
  import core_pkg::*;
  import line_pkg::*;
  import lsu_pkg::*;
(
  input  logic clk_i,
  input  logic rst_ni,
  // lookups that hit: ways, sets
  input  dc_ways_t use_i [MemPorts],
  input  dc_set_t use_set_i [MemPorts],
  // refills: selected in this cycle, for that set; written in the next one
  input  logic refill_next_i,
  input  dc_set_t refill_next_set_i,
  input  logic refill_i,
  output logic refill_may_o,                 // one may be selected in this cycle
  input  logic writer_waits_i,
  // fence.i
  input  logic clean_i,
  output logic clean_done_o,
  // the ways of that set
  output dc_set_t set_o,
  input  dc_ways_t valid_i,
  input  dc_ways_t dirty_i,
  input  dc_tag_t tag_i [DcWays],
  input  logic [LineBits-1:0] data_i [DcWays],
  output dc_ways_t victim_o,                 // takes the refilled line
  output dc_ways_t clean_o,                  // is clean from now on
  // to the write-back buffer
  input  logic room_i,                       // for one line
  input  logic room2_i,                      // for two
  input  logic empty_i,
  output logic push_o,
  output line_t push_line_o,
  output logic [LineBits-1:0] push_data_o
);
  dc_ways_t used_q [DcSets];
  dc_set_t set_q, clean_next_set;
  assign set_o = set_q;

  // ---- replacement ----
  always_comb begin
    automatic dc_ways_t candidates = ~valid_i;
    if (candidates == '0) candidates = ~used_q[set_q];
    if (candidates == '0) candidates = dc_ways_t'(1);
    victim_o = refill_i ? candidates & (~candidates + dc_ways_t'(1)) : '0;
  end

  function automatic dc_ways_t use_way(input dc_ways_t used, input dc_ways_t way);
    use_way = (used | way) == '1 ? way : used | way;
  endfunction

  always_ff @(posedge clk_i) begin
    for (int p = 0; p < MemPorts; p++)
      if (use_i[p] != '0) used_q[use_set_i[p]] <= use_way(used_q[use_set_i[p]], use_i[p]);
    // The use bits of an invalid way mean nothing, so nobody reads what the array held at reset.
    if (refill_i) used_q[set_q] <= use_way(used_q[set_q] & valid_i, victim_o);
  end

  // ---- whose set it is ----
  logic refill_turn_q, writer_turn_q;
  assign refill_may_o = room2_i && !writer_turn_q;
  always_ff @(posedge clk_i) begin
    set_q <= refill_next_i ? refill_next_set_i : clean_next_set;
    refill_turn_q <= rst_ni && refill_next_i;
    writer_turn_q <= rst_ni && refill_next_i && writer_waits_i;
  end

  dcache_clean u_dcache_clean (
    .clk_i, .rst_ni, .clean_i, .clean_done_o, .set_next_o(clean_next_set), .dirty_i,
    .may_push_i(!refill_turn_q && room_i), .wb_empty_i(empty_i), .push_o(clean_o)
  );

  // ---- what leaves ----
  always_comb begin
    automatic dc_ways_t leaves = (victim_o & valid_i & dirty_i) | clean_o;
    push_o = leaves != '0;
    push_line_o = '0;
    push_data_o = '0;
    for (int w = 0; w < DcWays; w++)
      if (leaves[w]) begin
        push_line_o = {tag_i[w], set_q};
        push_data_o = data_i[w];
      end
  end

  `include "assert.svh"
  `ASSERT(RefillHasItsTurn, !refill_i || refill_turn_q)
  `ASSERT(OneLeaves, (clean_o & (clean_o - dc_ways_t'(1))) == '0 && (clean_o == '0 || victim_o == '0))
endmodule
