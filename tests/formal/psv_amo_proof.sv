// The events of an AMO, LR or SC, from its execution to its completion: amo_ctrl beside the story of one.
//
// ST_L1 is emitted in each cycle in which a try finds no line, but not where it had only to own it, until that comes.
// ST_LLC (ST_COH) in the cycle in which its line, which it has missed or had to own, comes from beyond the last-level
// cache (from another hart), whether it slept just then or not. (ST_TLB: psv_tlb_proof. A store
// has nothing else: it completes without the cache.) The compare-and-swap of a table entry has no event and completes
// no instruction. The cache's answers, refills, lost lines, grants, squashes and swaps are free. The first cycle is
// reset.
module psv_amo_proof
  import instructions_pkg::*;
  import events_pkg::*;
  import core_pkg::*;
  import mmu_pkg::*;
  import dcache_pkg::*;
  import lsu_pkg::*;
(
  input logic clk_i,
  input squash_t squash_i,
  input logic start_i,
  input op_e op_i,
  input rob_idx_t rob_i,
  input word_t addr_i,
  input logic exception_i,
  input logic stores_gone_i,
  input logic nonspec_gnt_i,
  input logic slot_take_i,
  input logic hit_i,
  input logic join_i,
  input logic full_i,
  input logic upgrade_i,
  input refill_t refill_i,
  input lost_t lost_i,
  input table_swap_t swap_i
);
  logic rst_n_q = 1'b0;
  always_ff @(posedge clk_i) rst_n_q <= 1'b1;

  load_info_t info;
  always_comb begin
    info = '0;
    info.rob = rob_i;
  end

  amo_ask_t slot;
  mem_done_t amo_done;
  table_swapped_t swapped;
  mem_event_t amo_event;
  amo_ctrl u_amo (
    .clk_i, .rst_ni(rst_n_q), .squash_i, .start_i, .op_i, .addr_i, .operand_i('0), .info_i(info),
    .exception_i, .cause_i('0), .stores_gone_i, .nonspec_o(), .nonspec_gnt_i,
    .slot_o(slot), .slot_take_i,
    .hit_i, .word_i('0), .wait_i({upgrade_i, full_i, join_i}), .refill_i, .lost_i, .swap_i, .swapped_o(swapped),
    .done_o(amo_done), .event_o(amo_event)
  );

  // ---- the story of a swap: held until done, and nothing else meanwhile ----
  logic swaps_q = 1'b0;
  always_ff @(posedge clk_i) swaps_q <= rst_n_q && swap_i.valid && !swapped.done;

  // ---- the story of the AMO ----
  logic there_q = 1'b0, m1_q = 1'b0, m1_swap_q = 1'b0, wants_q, owns_q;  // in M1; it has missed its line (had it only
                                                                         // to own it), which has not come
  logic missed, comes;
  rob_idx_t rob_q;
  line_t line_q;
  psv_t expected;
  assign missed = m1_q && !hit_i;
  assign comes = there_q && wants_q && refill_i.valid && refill_i.line == line_q;
  always_comb begin
    expected = comes && refill_i.peer ? PsvStCoh : '0;
    expected[EvStL1] = missed && !upgrade_i && !owns_q;
    expected[EvStLlc] = comes && refill_i.llc;
    if (killed(squash_i, rob_q)) expected = '0;
  end
  always_ff @(posedge clk_i)
    if (!rst_n_q) begin
      there_q <= 1'b0;
      m1_q <= 1'b0;
      m1_swap_q <= 1'b0;
    end else begin
      m1_q <= there_q && slot.valid && slot_take_i;
      m1_swap_q <= swaps_q && slot.valid && slot_take_i;
      if (there_q) begin
        if (amo_done.valid || killed(squash_i, rob_q)) there_q <= 1'b0;
        if (missed) wants_q <= 1'b1;
        else if (comes) wants_q <= 1'b0;
        if (missed && upgrade_i && join_i) owns_q <= 1'b1;
        else if (comes) owns_q <= 1'b0;
      end else if (start_i) begin
        there_q <= 1'b1;
        rob_q <= rob_i;
        line_q <= line_of(addr_i);
        wants_q <= 1'b0;
        owns_q <= 1'b0;
      end
    end

  always_comb begin
    if (rst_n_q) begin
      // it is alone in the machine: nobody can squash it as it comes
      assume (!start_i || (!there_q && !squash_i.valid));
      assume (!swap_i.valid || (!there_q && !start_i));
      assume (swap_i.valid || !swaps_q);
      assume (!slot_take_i || slot.valid);
      assume (!(m1_q || m1_swap_q) || !refill_i.valid);  // the cache keeps the ports free in the cycle of a refill
      assume (!(u_amo.undone && hit_i));                 // no hit of what is lost
      // asking for permission: not yet the oldest
      assume (!there_q || !killed(squash_i, rob_q) || u_amo.state_q == 3'd1 || u_amo.exception_q);
`ifdef PROVE_AMO
      assert (amo_event.valid == (expected != '0));
      assert (!amo_event.valid || (there_q && amo_event.rob == rob_q && amo_event.psv == expected));
      assert (!amo_done.valid || (there_q && amo_done.rob == rob_q));
      // States and story: what induction needs.
      assert ((there_q || swaps_q) == (u_amo.state_q != '0) && (!there_q || u_amo.rob_q == rob_q));
      assert (!(there_q && swaps_q));
      if (u_amo.state_q != '0) assert (u_amo.swap_q == swaps_q && (!there_q || u_amo.state_q != 3'd7));
      if (swaps_q) assert (u_amo.state_q != 3'd1 && u_amo.op_q == OP_AMOSWAP_D);
      assert ((m1_q || m1_swap_q) == (u_amo.state_q == 3'd3 || u_amo.state_q == 3'd5));
      assert (!(m1_q && !there_q) && !(m1_swap_q && !swaps_q));
      if (there_q && u_amo.exception_q) assert (u_amo.state_q == 3'd6);
      if (there_q && u_amo.state_q == 3'd1) assert (!wants_q);
      if (there_q) assert (u_amo.upgrades_q == owns_q);
      if (there_q) assert (u_amo.u_refill_wait.waits_q == wants_q && line_of(u_amo.addr_q) == line_q);
`endif
`ifdef COVER
      cover (amo_done.valid && !wants_q && !u_amo.exception_q);
      cover (amo_event.valid && amo_event.psv == psv_t'(1 << EvStL1) && slot.write == 1'b0);
      // woken before by another refill
      cover (amo_event.valid && amo_event.psv == psv_t'(1 << EvStLlc) && !u_amo.u_refill_wait.sleep_q);
      cover (amo_event.valid && amo_event.psv == psv_t'(1 << EvStLlc) && u_amo.u_refill_wait.sleep_q);
      cover (amo_event.valid && amo_event.psv == PsvStCoh && owns_q);
      cover (swapped.done && !swapped.error);
      cover (swapped.done && swapped.error);
      cover (there_q && killed(squash_i, rob_q));
`endif
    end
  end
endmodule
