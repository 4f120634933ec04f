// Observers that are bound to the design: they see its signals and cannot shape it.
bind tile bundle_rules u_bundle_rules (
  .clk_i(clk_i), .rst_ni(rst_ni),
  .bundle_i(bundle_o),
  /* verilator lint_off PINCONNECTEMPTY */  // asserted inside
  .broken_o()
  /* verilator lint_on PINCONNECTEMPTY */
);
