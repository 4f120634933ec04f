// Observers that are bound to the design: they see its signals and cannot shape it.
bind tile bundle_rules u_bundle_rules (
  .clk_i(clk_i), .rst_ni(rst_ni),
  .bundle_i(bundle_o),
  /* verilator lint_off PINCONNECTEMPTY */  // asserted inside
  .broken_o()
  /* verilator lint_on PINCONNECTEMPTY */
);
bind core dr_sq_rules u_dr_sq_rules (
  .clk_i(clk_i), .rst_ni(rst_ni), .squash_i(squash.valid),
  .valid_i(dec_valid[0]), .insn_i(dec_insn[0]), .fire_i(dis.fire), .rob_i(dis_rob),
  .sq_head_i(u_lsu.u_store_queue.head_q), .sq_tail_i(u_lsu.u_store_queue.tail_q),
  .head_i(com.head), .bundle_i(bundle_o)
);
