// Replacement in the L1 data cache, and lines that leave it: victims of refills, and dirty lines that fence.i writes
// back; snoops look for theirs. Who reads or changes a whole set asks here, for there is one such port.
//
// The set is chosen a cycle ahead, so that the arrays' read address is a register; refills and snoops take turns, and
// both go before fence.i. They keep writers (drains, AMOs) out of M1: one that has been kept out goes before the next.
// Victim: a free way, else one that has not been used since all were.
module dcache_victim
  import config_pkg::*;
  import core_pkg::*;
  import line_pkg::*;
  import dcache_pkg::*;
(
  input  logic clk_i,
  input  logic rst_ni,
  // lookups that hit: ways, sets
  input  dc_ways_t use_i [MemPorts],
  input  dc_set_t use_set_i [MemPorts],
  // refills: selected in this cycle, for that set; written in the next one
  input  set_ask_t refill_next_i,
  input  logic refill_i,
  output logic refill_may_o,                 // one may be selected in this cycle
  // snoops: taken in this cycle, act in the next one
  input  set_ask_t snoop_i,
  output logic snoop_take_o,
  input  logic writer_waits_i,
  // fence.i
  input  logic clean_i,
  output logic clean_done_o,
  // the ways of that set
  output dc_set_t set_o,
  /* verilator lint_off UNUSEDSIGNAL */  // owned is a snoop's business
  input  old_line_t old_i [DcWays],
  /* verilator lint_on UNUSEDSIGNAL */
  output dc_ways_t victim_o,                 // takes the refilled line
  output dc_ways_t clean_o,                  // is clean from now on
  // to the write-back buffer
  input  logic room_i,                       // for one line
  input  logic room2_i,                      // for two
  input  logic empty_i,
  output wb_push_t push_o
);
  dc_ways_t valid, dirty;
  always_comb
    for (int w = 0; w < DcWays; w++) begin
      valid[w] = old_i[w].valid;
      dirty[w] = old_i[w].dirty;
    end

  dc_ways_t used_q [DcSets];
  dc_set_t set_q, clean_next_set;
  assign set_o = set_q;

  // ---- replacement ----
  always_comb begin
    automatic dc_ways_t candidates = ~valid;
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
    if (refill_i) used_q[set_q] <= use_way(used_q[set_q] & valid, victim_o);
  end

  // ---- whose set it is ----
  logic taken, port_turn_q, writer_turn_q, snoop_turn;
  assign refill_may_o = room2_i && !writer_turn_q && !snoop_turn;
  assign snoop_take_o = snoop_i.valid && !refill_next_i.valid && !writer_turn_q;
  assign taken = refill_next_i.valid || snoop_take_o;
  always_ff @(posedge clk_i) begin
    set_q <= refill_next_i.valid ? refill_next_i.at : snoop_take_o ? snoop_i.at : clean_next_set;
    port_turn_q <= rst_ni && taken;
    writer_turn_q <= rst_ni && taken && writer_waits_i;
  end
  if (Coherent) begin : gen_turn
    logic snoop_turn_q;  // a refill has gone before a snoop that waits
    assign snoop_turn = snoop_turn_q && snoop_i.valid;
    always_ff @(posedge clk_i)
      if (!rst_ni || snoop_take_o) snoop_turn_q <= 1'b0;
      else if (refill_next_i.valid && snoop_i.valid) snoop_turn_q <= 1'b1;
    wait_bound #(.Most(8)) u_snoop (.clk_i, .rst_ni, .wants_i(snoop_i.valid && !snoop_take_o), .counts_i(1'b1));
  end else begin : gen_no_turn
    assign snoop_turn = 1'b0;
  end

  dcache_clean u_dcache_clean (
    .clk_i, .rst_ni, .clean_i, .clean_done_o, .set_next_o(clean_next_set), .dirty_i(dirty),
    .may_push_i(!port_turn_q && room_i), .wb_empty_i(empty_i), .push_o(clean_o)
  );

  // ---- what leaves ----
  always_comb begin
    automatic dc_ways_t leaves = (victim_o & valid & dirty) | clean_o;
    push_o = '{valid: leaves != '0, line: '0, data: '0};
    for (int w = 0; w < DcWays; w++)
      if (leaves[w]) begin
        push_o.line = {old_i[w].tag, set_q};
        push_o.data = old_i[w].data;
      end
  end

  `include "assert.svh"
  `ASSERT(RefillHasItsTurn, !refill_i || port_turn_q)
  `ASSERT(OneLeaves, (clean_o & (clean_o - dc_ways_t'(1))) == '0 && (clean_o == '0 || victim_o == '0))
endmodule
