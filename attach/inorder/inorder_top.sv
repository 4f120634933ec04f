// Top of the model of the in-order core: core, adapter, the harness's unit, and the machine at the core's AXI4
// port.
module inorder_top
  import core_pkg::word_t;
  import core_pkg::machine_t;
  import records_pkg::*;
  import attach_axi_pkg::*;
  import inorder_pkg::probe_t;
  import memory_map_pkg::ResetPc;
(
  input logic clk_i,
  input logic rst_ni
);
  logic rst_n_q;
  initial rst_n_q = 1'b0;  // in reset from the very first clock edge on
  always_ff @(posedge clk_i) rst_n_q <= rst_ni;

  axi_req_t axi_req;
  axi_resp_t axi_resp;
  /* verilator lint_off UNUSEDSIGNAL */  // one mode, one hart: no supervisor's interrupts, no time, no number
  machine_t lines;
  word_t hart_id;
  /* verilator lint_on UNUSEDSIGNAL */
  probe_t probe;
  commit_bundle_t bundle;
  sample_t sample;
  oir_t oir;
  logic trigger, sample_taken, sample_ready;
  word_t cycles, instructions;

  inorder_core u_core (
    .clk_i(clk_i), .rst_ni(rst_n_q), .reset_pc_i(ResetPc), .lines_i({lines.meip, lines.mtip, lines.msip}),
    .axi_o(axi_req), .axi_i(axi_resp), .probe_o(probe)
  );
  axi_memory u_memory (
    .clk_i(clk_i), .rst_ni(rst_n_q), .axi_i(axi_req), .axi_o(axi_resp), .machine_o(lines),
    /* verilator lint_off PINCONNECTEMPTY */  // nothing here looks at memory for the host
    .host_o()
    /* verilator lint_on PINCONNECTEMPTY */
  );
  clean_lines u_dirty_lines ();

  inorder_adapter u_adapter (.clk_i(clk_i), .rst_ni(rst_n_q), .probe_i(probe), .bundle_o(bundle));
  harness_unit u_harness (
    .clk_i(clk_i), .rst_ni(rst_n_q), .bundle_i(bundle), .stale_i('0), .coherence_i('0), .program_trigger_i(1'b0),
    .cycles_i(cycles), .instructions_i(instructions),
    /* verilator lint_off PINCONNECTEMPTY */  // for a core that keeps vectors only while they are read
    .reads_o(),
    /* verilator lint_on PINCONNECTEMPTY */
    .trigger_o(trigger), .sample_taken_o(sample_taken), .sample_ready_o(sample_ready), .sample_o(sample), .oir_o(oir),
    .hart_id_o(hart_id)
  );
  /* verilator lint_off PINCONNECTEMPTY */  // asserted inside
  bundle_rules u_bundle_rules (.clk_i(clk_i), .rst_ni(rst_n_q), .bundle_i(bundle), .broken_o());
  blame_rule u_blame_rule (.clk_i(clk_i), .rst_ni(rst_n_q), .bundle_i(bundle), .broken_o());
  /* verilator lint_on PINCONNECTEMPTY */
  bundle_monitor u_monitor (
    .clk_i(clk_i), .rst_ni(rst_n_q), .bundle_i(bundle), .sample_i(sample), .oir_i(oir), .trigger_i(trigger),
    .sample_taken_i(sample_taken), .sample_ready_i(sample_ready), .more_i(1'b0),
    /* verilator lint_off PINCONNECTEMPTY */  // for monitors that emit more
    .emit_o(), .started_o(),
    /* verilator lint_on PINCONNECTEMPTY */
    .cycle_o(cycles), .instructions_o(instructions)
  );
endmodule
