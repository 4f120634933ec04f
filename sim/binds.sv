// Observers that are bound to the design: they see its signals and cannot shape it.
bind tile bundle_rules u_bundle_rules (
  .clk_i(clk_i), .rst_ni(rst_ni),
  .bundle_i(bundle_o),
  /* verilator lint_off PINCONNECTEMPTY */  // asserted inside
  .broken_o()
  /* verilator lint_on PINCONNECTEMPTY */
);
bind tile blame_rule u_blame_rule (
  .clk_i(clk_i), .rst_ni(rst_ni),
  .bundle_i(bundle_o),
  /* verilator lint_off PINCONNECTEMPTY */  // asserted inside
  .broken_o()
  /* verilator lint_on PINCONNECTEMPTY */
);
bind tile rvfi_rules u_rvfi_rules (.clk_i(clk_i), .rst_ni(rst_ni), .rvfi_i(rvfi_o));
bind core dr_sq_rules u_dr_sq_rules (
  .clk_i(clk_i), .rst_ni(rst_ni), .squash_i(squash.valid),
  .valid_i(dec_valid[0]), .insn_i(dec_insn[0]), .fire_i(dis.fire), .entry_i(dis_entry),
  .sq_head_i(u_lsu.u_store_queue.head_q), .sq_tail_i(u_lsu.u_store_queue.tail_q)
);
bind core vector_rules u_vector_rules (
  .clk_i(clk_i), .rst_ni(rst_ni), .squash_i(squash), .fire_i(dis.fire), .rob_i(rob_room.place), .entry_i(dis_entry),
  .tlb_look_i(u_lsu.u_ex.look), .tlb_hit_i(u_lsu.u_ex.hit), .ex_info_i(u_lsu.ex_info),
  .slot_i(u_lsu.m1_slot), .load_i(u_lsu.m1_search), .stored_i(u_lsu.sq_met), .info_i(u_lsu.m1_info),
  .amo_i('{valid: !u_lsu.u_amo.swap_q, rob: u_lsu.u_amo.rob_q}),
  .addr_i(u_lsu.m1_addr), .hit_i(u_lsu.hit), .upgrade_i(u_lsu.upgrade), .join_i(u_lsu.join_),
  .done_i(mem_done[0 +: MemPorts]),
  .resp_i(u_lsu.lines_in.get.resp),
  .refill_i(u_lsu.refill.valid), .refill_id_i(u_lsu.refill.id), .refill_line_i(u_lsu.refill.line),
  .keep_i(keep_vectors), .stale_i(stale_o), .kept_i(u_commit_stage.u_rob.psv_q),
  .head_i(com.head), .bundle_i(bundle_o)
);
