// The events of AMOs and stores, from their execution to their completion: amo_ctrl and lsu_store_pipe beside the story of
// one of each.
//
// AMO, LR, SC: ST_TLB is what it came with, ST_L1 says that a try found no line, ST_LLC that the refill it had joined
// came from beyond the last-level cache, whether it slept just then or not. A store shows ST_TLB alone: it completes
// without the cache. The cache's answers, refills, grants and squashes are free. The first cycle is reset.
module psv_amo_proof
  import instructions_pkg::*;
  import events_pkg::*;
  import core_pkg::*;
  import lsu_pkg::*;
(
  input logic clk_i,
  input squash_t squash_i,
  input logic start_i,
  input op_e op_i,
  input rob_idx_t rob_i,
  input logic exception_i,
  input logic tlb_i,
  input logic stores_gone_i,
  input logic nonspec_gnt_i,
  input logic slot_take_i,
  input logic hit_i,
  input logic join_i,
  input mshr_t id_i,
  input logic full_i,
  input logic refill_valid_i,
  input mshr_t refill_id_i,
  input logic refill_llc_i,
  // a store
  input logic store_i,
  input rob_idx_t store_rob_i,
  input logic store_exception_i,
  input logic store_tlb_i
);
  logic rst_n_q = 1'b0;
  always_ff @(posedge clk_i) rst_n_q <= 1'b1;

  logic slot_valid, slot_write;
  mem_done_t amo_done, store_done;
  amo_ctrl u_amo (
    .clk_i, .rst_ni(rst_n_q), .squash_i, .start_i, .op_i, .addr_i('0), .operand_i('0), .rob_i, .pd_i('0), .pd_valid_i(1'b0),
    .exception_i, .cause_i('0), .tlb_i, .stores_gone_i, .nonspec_req_o(), .nonspec_rob_o(), .nonspec_gnt_i,
    .slot_valid_o(slot_valid), .slot_write_o(slot_write), .slot_addr_o(), .slot_word_o(), .slot_mask_o(), .slot_take_i,
    .hit_i, .word_i('0), .join_i, .id_i, .full_i, .refill_valid_i, .refill_id_i, .refill_llc_i, .done_o(amo_done)
  );
  lsu_store_pipe u_store (
    .clk_i, .rst_ni(rst_n_q), .squash_i, .valid_i(store_i), .addr_i('0), .size_i('0), .rob_i(store_rob_i), .sq_i('0),
    .exception_i(store_exception_i), .cause_i('0), .tlb_i(store_tlb_i), .search_o(), .addr_o(), .info_o(),
    .done_o(store_done)
  );

  // ---- the story of the AMO ----
  logic there_q = 1'b0, m1_q = 1'b0, wants_q;   // in M1; its line is on its way
  logic l1_q, llc_q, tlb_q, missed;
  rob_idx_t rob_q;
  mshr_t line_q;
  psv_t expected;
  assign missed = m1_q && !hit_i;
  always_comb begin
    expected = '0;
    expected[EvStTlb] = tlb_q;
    expected[EvStL1] = l1_q;
    expected[EvStLlc] = llc_q;
  end
  always_ff @(posedge clk_i)
    if (!rst_n_q) begin
      there_q <= 1'b0;
      m1_q <= 1'b0;
    end else begin
      m1_q <= slot_valid && slot_take_i;
      if (there_q) begin
        if (amo_done.valid || killed(squash_i, rob_q)) there_q <= 1'b0;
        if (missed) begin
          l1_q <= 1'b1;
          wants_q <= join_i;
          line_q <= id_i;
        end else if (wants_q && refill_valid_i && refill_id_i == line_q) begin
          wants_q <= 1'b0;
          llc_q <= llc_q || refill_llc_i;
        end
      end else if (start_i) begin
        there_q <= 1'b1;
        rob_q <= rob_i;
        tlb_q <= tlb_i;
        l1_q <= 1'b0;
        llc_q <= 1'b0;
        wants_q <= 1'b0;
      end
    end

  // ---- the story of the store ----
  logic store_q = 1'b0, store_tlb_q;
  rob_idx_t store_rob_q;
  always_ff @(posedge clk_i) begin
    store_q <= rst_n_q && store_i;
    store_tlb_q <= store_tlb_i;
    store_rob_q <= store_rob_i;
  end

  always_comb begin
    if (rst_n_q) begin
      assume (!start_i || (!there_q && !squash_i.valid));  // it is alone in the machine: nobody can squash it as it comes
      assume (!slot_take_i || slot_valid);
      assume (!m1_q || !refill_valid_i);         // the cache keeps the ports free in the cycle of a refill
      assume (!there_q || !killed(squash_i, rob_q) || u_amo.state_q == 3'd1 || u_amo.exception_q);  // asking for permission: not yet the oldest
`ifdef PROVE_AMO
      assert (!amo_done.valid || (there_q && amo_done.rob == rob_q && amo_done.psv == expected));
      assert (store_done.valid == (store_q && !killed(squash_i, store_rob_q)));
      assert (!store_done.valid || (store_done.rob == store_rob_q && store_done.psv == psv_t'(store_tlb_q ? 1 << EvStTlb : 0)));
      // States and story: what induction needs.
      assert (there_q == (u_amo.state_q != '0) && (!there_q || u_amo.rob_q == rob_q));
      assert (m1_q == (u_amo.state_q == 3'd3 || u_amo.state_q == 3'd5) && u_amo.state_q != 3'd7);
      if (there_q && u_amo.exception_q) assert (u_amo.state_q == 3'd6);
      if (there_q) assert (u_amo.tlb_q == tlb_q && u_amo.l1_q == l1_q && u_amo.llc_q == llc_q);
      if (there_q) assert (u_amo.join_q == wants_q && (!wants_q || u_amo.id_q == line_q));
      assert (u_store.valid_q == store_q && (!store_q || (u_store.tlb_q == store_tlb_q && u_store.info_q.rob == store_rob_q)));
`endif
`ifdef COVER
      cover (amo_done.valid && expected == '0);
      cover (amo_done.valid && expected == psv_t'((1 << EvStTlb) | (1 << EvStL1) | (1 << EvStLlc)));
      cover (amo_done.valid && expected == psv_t'(1 << EvStL1) && !exception_i && slot_write == 1'b0);
      cover (there_q && tlb_q && killed(squash_i, rob_q));
      cover (store_done.valid && store_done.psv != '0);
`endif
    end
  end
endmodule
