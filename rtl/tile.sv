// A core with its profiling units: what a chip would instantiate.
//
// The core hands the commit bundle to profile_top and reaches the CSRs that live there through one access port. A host
// (a debug module, or the simulation) shares that port: its accesses have priority and are meant for the time before the
// program runs. A simulation reads them at any time, by the functions `read` of their modules.
module tile
  import config_pkg::*;
  import core_pkg::*;
  import records_pkg::*;
(
  input  logic           clk_i,
  input  logic           rst_ni,
  // miss ports of the L1 caches
  output line_req_t      imem_req_o,
  input  logic           imem_ready_i,
  input  line_resp_t     imem_resp_i,
  output line_req_t      dmem_req_o,
  input  logic           dmem_ready_i,
  input  line_resp_t     dmem_resp_i,
  // devices
  output device_req_t    device_req_o,
  input  logic           device_ready_i,
  input  device_resp_t   device_resp_i,
  input  machine_t       machine_i,
  // host access to the CSRs of the profiling units
  input  csr_req_t       host_req_i,
  // observation
  output commit_bundle_t bundle_o,
  output priv_e          priv_o,
  output sample_t        sample_o,
  output oir_t           oir_o,
  output logic           sample_trigger_o,
  output logic           sample_ready_o
);
  csr_req_t core_csr_req;
  word_t csr_rdata;
  logic lcofi;
  logic [LaneBits:0] retired;

  core u_core (
    .clk_i(clk_i), .rst_ni(rst_ni),
    .imem_req_o(imem_req_o), .imem_ready_i(imem_ready_i), .imem_resp_i(imem_resp_i),
    .dmem_req_o(dmem_req_o), .dmem_ready_i(dmem_ready_i), .dmem_resp_i(dmem_resp_i),
    .device_req_o(device_req_o), .device_ready_i(device_ready_i), .device_resp_i(device_resp_i),
    .machine_i(machine_i),
    .bundle_o(bundle_o),
    .csr_ext_req_o(core_csr_req), .csr_ext_rdata_i(csr_rdata), .lcofi_i(lcofi),
    .retired_o(retired), .priv_o(priv_o)
  );

  profile_top u_profile_top (
    .clk_i(clk_i), .rst_ni(rst_ni),
    .bundle_i(bundle_o), .priv_i(priv_o), .retired_i(retired),
    .csr_req_i(host_req_i.write ? host_req_i : core_csr_req), .csr_rdata_o(csr_rdata), .lcofi_o(lcofi),
    .sample_o(sample_o), .oir_o(oir_o),
    .sample_trigger_o(sample_trigger_o), .sample_ready_o(sample_ready_o)
  );
endmodule
