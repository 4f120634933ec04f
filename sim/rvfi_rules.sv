// Rules of the retire record (rtl/commit/rvfi_pkg.sv) that need no second model: bound to the tile in every simulation.
//
//   instructions come in age order, the first in lane 0, with consecutive numbers
//   each begins where the one before announced the next one, if it could; and so does what traps
//   an instruction that traps does not retire, and what retires after it is the handler's
// That the values are right, lockstep says: rd, stores, CSRs and traps come from this record.
`include "assert.svh"
module rvfi_rules
  import config_pkg::*;
  import core_pkg::*;
  import rvfi_pkg::*;
(
  input logic clk_i,
  input logic rst_ni,
  input rvfi_t rvfi_i
);
  logic [63:0] order_q, order_d;
  logic known_q, known_d;  // where the next one begins
  word_t next_q, next_d;
  logic gap, misnumbered, elsewhere;

  always_comb begin
    order_d = order_q;
    known_d = known_q;
    next_d = next_q;
    gap = 1'b0;
    misnumbered = 1'b0;
    elsewhere = 1'b0;
    for (int k = 0; k < CoreWidth; k++)
      if (rvfi_i.insn[k].valid) begin
        if (k > 0 && !rvfi_i.insn[k > 0 ? k - 1 : 0].valid) gap = 1'b1;
        if (rvfi_i.insn[k].order != order_d) misnumbered = 1'b1;
        if (known_d && rvfi_i.insn[k].pc_rdata != next_d) elsewhere = 1'b1;
        order_d = order_d + 64'd1;
        known_d = rvfi_i.insn[k].pc_known;
        next_d = rvfi_i.insn[k].pc_wdata;
      end
    if (rvfi_i.trap.valid) begin
      if (known_d && rvfi_i.trap.pc_rdata != next_d) elsewhere = 1'b1;
      known_d = 1'b1;
      next_d = rvfi_i.trap.pc_wdata;
    end
  end

  always_ff @(posedge clk_i) begin
    order_q <= rst_ni ? order_d : '0;
    known_q <= rst_ni && known_d;
    next_q <= next_d;
  end

  `ASSERT(InAgeOrder, !gap)
  `ASSERT(Consecutive, !misnumbered)
  `ASSERT(FollowsOn, !elsewhere)
endmodule
