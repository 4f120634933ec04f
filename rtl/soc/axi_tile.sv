// The tile for a system on chip: two AXI4 managers, one for lines of memory and one for devices, interrupt lines and
// time. What a platform ties (reset vector, hart number, memory attributes) are ports: docs/reference/axi.md.
module axi_tile
  import config_pkg::*;
  import core_pkg::*;
  import line_pkg::*;
  import records_pkg::*;
  import rvfi_pkg::*;
  import bus_pkg::*;
  import profile_pkg::*;
(
  input  logic           clk_i,
  input  logic           rst_ni,
  output axi_req_t       memory_req_o,
  input  axi_resp_t      memory_resp_i,
  output axi_req_t       device_req_o,
  input  axi_resp_t      device_resp_i,
  output bus_error_t     error_o [3],     // lines read, lines written, devices; each for one cycle
  output lost_store_t    lost_o,          // a store whose line or device has answered with an error; for one cycle
  input  machine_t       machine_i,
  // tied by the platform
  input  word_t          reset_pc_i,
  input  region_t        region_i [Regions],
  // observation
  output rvfi_t          rvfi_o,
  output commit_bundle_t bundle_o,
  input  logic           reads_i,         // who observes bundle_o reads vectors, or will soon (profile.vector_window)
  output stale_t         stale_o,
  output sample_t        sample_o,
  output oir_t           oir_o,
  output logic           sample_trigger_o
);
  memory_out_t asked;
  memory_in_t answered;

  tile u_tile (
    .clk_i, .rst_ni,
    .memory_o(asked), .memory_i(answered),
    /* verilator lint_off PINCONNECTEMPTY */  // no other hart
    .hub_o(), .hub_i('0), .coherence_o(),
    /* verilator lint_on PINCONNECTEMPTY */
    .machine_i, .reset_pc_i, .region_i, .lost_o, .rvfi_o, .bundle_o, .reads_i, .stale_o, .sample_o, .oir_o,
    .sample_trigger_o
  );

  axi_lines u_lines (
    .clk_i, .rst_ni,
    .imem_req_i(asked.insn), .imem_ready_o(answered.insn.ready), .imem_resp_o(answered.insn.resp),
    .dmem_req_i(asked.data), .dmem_ready_o(answered.data.ready), .dmem_resp_o(answered.data.resp),
    .axi_req_o(memory_req_o), .axi_resp_i(memory_resp_i), .read_error_o(error_o[0]), .write_error_o(error_o[1])
  );

  axi_device u_device (
    .clk_i, .rst_ni,
    .device_req_i(asked.device), .device_ready_o(answered.device.ready), .device_resp_o(answered.device.resp),
    .axi_req_o(device_req_o), .axi_resp_i(device_resp_i), .error_o(error_o[2])
  );
endmodule
