// Top of the model of SonicBOOM: Chipyard's DigitalTop as it is generated, with the adapter bound into it
// (gen_bind.py), the harness's unit, the host at its serial port, and the machine behind its AXI4 port.
module boom_top
  import core_pkg::*;
  import records_pkg::*;
  import attach_axi_pkg::*;
(
  input logic clk_i,
  input logic rst_ni
);
  localparam int unsigned ResetCycles = 64;  // the chip wants some tens of them
  // the harness sets its unit up in the first cycles behind its own reset: the unit does not wait for the chip
  logic rst_n_q;
  initial rst_n_q = 1'b0;
  always_ff @(posedge clk_i) rst_n_q <= rst_ni;
  logic [$clog2(ResetCycles):0] reset_q;
  logic reset;
  initial reset_q = '0;
  always_ff @(posedge clk_i)
    if (!rst_n_q) reset_q <= '0;
    else if (reset) reset_q <= reset_q + 1'b1;
  assign reset = !reset_q[$clog2(ResetCycles)];

  axi_req_t axi_req;
  axi_resp_t axi_resp;
  /* verilator lint_off UNUSEDSIGNAL */  // the chip has a CLINT and a PLIC of its own
  machine_t lines;
  word_t hart_id;
  /* verilator lint_on UNUSEDSIGNAL */
  logic host, in_valid, in_ready, out_valid;
  logic [31:0] in_bits, out_bits, aw_addr, ar_addr;
  assign axi_req.aw.addr = 64'(aw_addr);
  assign axi_req.ar.addr = 64'(ar_addr);

  /* verilator lint_off PINCONNECTEMPTY */  // outputs of the chip that this top does not use
  DigitalTop u_chip (
    .clock(clk_i), .reset(reset),
    .mem_axi4_0_aw_ready(axi_resp.aw_ready), .mem_axi4_0_aw_valid(axi_req.aw_valid),
    .mem_axi4_0_aw_bits_id(axi_req.aw.id), .mem_axi4_0_aw_bits_addr(aw_addr), .mem_axi4_0_aw_bits_len(axi_req.aw.len),
    .mem_axi4_0_aw_bits_size(axi_req.aw.size), .mem_axi4_0_aw_bits_burst(axi_req.aw.burst), .mem_axi4_0_aw_bits_lock(),
    .mem_axi4_0_aw_bits_cache(), .mem_axi4_0_aw_bits_prot(), .mem_axi4_0_aw_bits_qos(),
    .mem_axi4_0_w_ready(axi_resp.w_ready), .mem_axi4_0_w_valid(axi_req.w_valid),
    .mem_axi4_0_w_bits_data(axi_req.w_data), .mem_axi4_0_w_bits_strb(axi_req.w_strb),
    .mem_axi4_0_w_bits_last(axi_req.w_last), .mem_axi4_0_b_ready(axi_req.b_ready),
    .mem_axi4_0_b_valid(axi_resp.b_valid), .mem_axi4_0_b_bits_id(axi_resp.b_id),
    .mem_axi4_0_b_bits_resp('0),
    .mem_axi4_0_ar_ready(axi_resp.ar_ready), .mem_axi4_0_ar_valid(axi_req.ar_valid),
    .mem_axi4_0_ar_bits_id(axi_req.ar.id), .mem_axi4_0_ar_bits_addr(ar_addr), .mem_axi4_0_ar_bits_len(axi_req.ar.len),
    .mem_axi4_0_ar_bits_size(axi_req.ar.size), .mem_axi4_0_ar_bits_burst(axi_req.ar.burst), .mem_axi4_0_ar_bits_lock(),
    .mem_axi4_0_ar_bits_cache(), .mem_axi4_0_ar_bits_prot(), .mem_axi4_0_ar_bits_qos(),
    .mem_axi4_0_r_ready(axi_req.r_ready), .mem_axi4_0_r_valid(axi_resp.r_valid), .mem_axi4_0_r_bits_id(axi_resp.r_id),
    .mem_axi4_0_r_bits_data(axi_resp.r_data), .mem_axi4_0_r_bits_resp('0), .mem_axi4_0_r_bits_last(axi_resp.r_last),
    .resetctrl_hartIsInReset_0(1'b0),
    .debug_clock(clk_i), .debug_reset(1'b1), .debug_clockeddmi_dmi_req_ready(), .debug_clockeddmi_dmi_req_valid(1'b0),
    .debug_clockeddmi_dmi_req_bits_addr('0), .debug_clockeddmi_dmi_req_bits_data('0),
    .debug_clockeddmi_dmi_req_bits_op('0), .debug_clockeddmi_dmi_resp_ready(1'b1), .debug_clockeddmi_dmi_resp_valid(),
    .debug_clockeddmi_dmi_resp_bits_data(), .debug_clockeddmi_dmi_resp_bits_resp(), .debug_clockeddmi_dmiClock(clk_i),
    .debug_clockeddmi_dmiReset(1'b1), .debug_ndreset(), .debug_dmactive(), .debug_dmactiveAck(1'b0),
    .serial_in_ready(in_ready), .serial_in_valid(in_valid), .serial_in_bits(in_bits),
    .serial_out_ready(1'b1), .serial_out_valid(out_valid), .serial_out_bits(out_bits),
    .uart_0_0_txd(), .uart_0_0_rxd(1'b1)
  );
  boom_host u_host (
    .clk_i(clk_i), .rst_ni(!reset), .host_i(host), .emitted_i(u_chip.boom_tile.lsu.u_tipoff_stores.emitted_o),
    .store_i(u_chip.boom_tile.lsu.u_tipoff_stores.store_o),
    .in_valid_o(in_valid), .in_ready_i(in_ready), .in_bits_o(in_bits), .out_valid_i(out_valid), .out_bits_i(out_bits)
  );
  axi_memory u_memory (.clk_i(clk_i), .rst_ni(!reset), .axi_i(axi_req), .axi_o(axi_resp), .machine_o(lines),
                       .host_o(host));
  clean_lines u_dirty_lines ();

  // The bind leaves the bundle open: it is reached by name. In the chip's own reset the ROB is empty.
  commit_bundle_t bundle;
  always_comb begin
    bundle = u_chip.boom_tile.core.u_tipoff_adapter.bundle_o;
    if (reset) begin
      bundle = '0;
      bundle.rob_empty = 1'b1;
    end
  end
  sample_t sample;
  oir_t oir;
  logic trigger, sample_taken, sample_ready;
  word_t cycles, instructions;
  harness_unit u_harness (
    .clk_i(clk_i), .rst_ni(rst_n_q), .bundle_i(bundle), .stale_i('0), .coherence_i('0), .program_trigger_i(1'b0),
    .cycles_i(cycles), .instructions_i(instructions), .reads_o(), .trigger_o(trigger), .sample_taken_o(sample_taken),
    .sample_ready_o(sample_ready), .sample_o(sample), .oir_o(oir), .hart_id_o(hart_id)
  );
  bundle_monitor u_monitor (
    .clk_i(clk_i), .rst_ni(rst_n_q), .bundle_i(bundle), .sample_i(sample), .oir_i(oir), .trigger_i(trigger),
    .sample_taken_i(sample_taken), .sample_ready_i(sample_ready), .more_i(1'b0), .emit_o(), .started_o(),
    .cycle_o(cycles), .instructions_o(instructions)
  );
  /* verilator lint_on PINCONNECTEMPTY */
endmodule
