// The golden model beside the in-order core.
bind inorder_top inorder_golden u_golden (
  .clk_i(clk_i), .rst_ni(rst_n_q), .issue_i(u_core.issue), .entry_i(u_core.entry),
  .first_missed_i(u_core.packet.missed), .packet_i(u_core.packet.valid), .cut_i(u_core.resolved.wrong),
  .cut_pc_i(u_core.resolved.pc), .load_missed_i(u_core.u_lsu.missed_o), .retire_i(u_core.retire), .trap_i(u_core.trap),
  .sample_i(sample)
);
