// The misses that a packet's first instruction takes along (DR_L1, DR_TLB), against what each block met in F1: bound to
// the front end in every simulation.
//
// Worked out from the waits of F1 and what ends them, not from the flags that travel with the blocks. A packet without
// an instruction of its own leaves its misses to the next one, whose first instruction began in it.
module fetch_miss_rules
  import fetch_pkg::*;
(
  input logic    clk_i,
  input logic    rst_ni,
  input logic    redirect_i,     // the next block is another one: from outside
  input logic    f2_redirect_i,  // ... or because F2 knows better
  // F1's block
  input logic    f1_wait_i,      // cannot go on: for a walk, else for a line
  input logic    f1_walk_i,
  input logic    f1_advance_i,   // goes to F2
  // F2's packet
  input logic    f2_fire_i,
  input logic    push_i,         // ... with instructions
  input missed_t missed_i        // the misses that they report
);
  missed_t met_q, met, packet_q, left_q, all;  // by F1's block so far; by F2's; by packets without an instruction
  always_comb begin
    met = met_q;
    if (f1_wait_i && f1_walk_i) met.tlb = 1'b1;
    if (f1_wait_i && !f1_walk_i) met.l1 = 1'b1;
    if (redirect_i || f2_redirect_i || f1_advance_i) met = '0;
  end
  assign all = packet_q | left_q;

  always_ff @(posedge clk_i) begin
    met_q <= rst_ni ? met : '0;
    if (f1_advance_i) packet_q <= met_q;
    if (!rst_ni || redirect_i) left_q <= '0;
    else if (f2_fire_i) left_q <= push_i ? '0 : all;
  end

  `include "assert.svh"
  `ASSERT(PacketHasItsMisses, !push_i || missed_i == all)
endmodule

bind frontend fetch_miss_rules u_miss_rules (
  .clk_i(clk_i), .rst_ni(rst_ni), .redirect_i(redirect_i.valid), .f2_redirect_i(f2_redirect),
  .f1_wait_i(f1_bounce), .f1_walk_i(f1_tlb_miss), .f1_advance_i(f1_advance), .f2_fire_i(f2_fire), .push_i(push),
  .missed_i(missed)
);
