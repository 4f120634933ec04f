// A core with its profiling units: what a chip would instantiate.
//
// The core hands the commit bundle to profile_top and reaches the CSRs that live there through one access port. Both
// are the program's alone: who observes from outside has units of his own on bundle_o.
module tile
  import config_pkg::*;
  import core_pkg::*;
  import line_pkg::*;
  import records_pkg::*;
  import rvfi_pkg::*;
  import profile_pkg::*;
(
  input  logic           clk_i,
  input  logic           rst_ni,
  output memory_out_t    memory_o,
  input  memory_in_t     memory_i,
  output hub_pkg::hub_out_t hub_o,         // in place of memory_o's lines where harts.coherent is 1
  input  hub_pkg::hub_in_t hub_i,
  input  machine_t       machine_i,
  // tied by the platform
  input  word_t          reset_pc_i,
  input  region_t        region_i [Regions],
  // a store that the bus has answered with an error, after it had left the core: for one cycle
  output lost_store_t    lost_o,
  // observation
  output rvfi_t          rvfi_o,           // what leaves the core
  output commit_bundle_t bundle_o,
  // who observes bundle_o reads vectors, or will soon (profile.vector_window); 1: keeps them always
  input  logic           reads_i,
  output stale_t         stale_o,          // whose vectors may lack events
  output coherence_t     coherence_o,      // for counters
  output sample_t        sample_o,         // of the program's unit
  output oir_t           oir_o,
  output logic           sample_trigger_o  // the program's sampling counter has overflowed in the cycle before
);
  csr_req_t csr_req;
  word_t csr_rdata;
  logic lcofi, reads;

  memory_out_t core_asks;
  memory_in_t core_gets;
  hub_pkg::hub_out_t core_tells;
  hub_pkg::hub_in_t core_hears;
  coherence_t core_coherence, port_coherence;
  assign coherence_o = core_coherence | port_coherence;

  tile_port u_tile_port (
    .clk_i(clk_i), .rst_ni(rst_ni),
    .core_i(core_asks), .core_hub_i(core_tells), .core_o(core_gets), .core_hub_o(core_hears),
    .memory_o(memory_o), .hub_o(hub_o), .memory_i(memory_i), .hub_i(hub_i), .coherence_o(port_coherence)
  );

  core u_core (
    .clk_i(clk_i), .rst_ni(rst_ni),
    .memory_o(core_asks), .memory_i(core_gets), .hub_o(core_tells), .hub_i(core_hears),
    .machine_i(machine_i), .reset_pc_i(reset_pc_i), .region_i(region_i),
    .bundle_o(bundle_o), .reads_i(reads || reads_i), .stale_o(stale_o), .coherence_o(core_coherence),
    .lost_o(lost_o), .rvfi_o(rvfi_o),
    .csr_ext_req_o(csr_req), .csr_ext_rdata_i(csr_rdata), .lcofi_i(lcofi)
  );

  profile_top u_profile_top (
    .clk_i(clk_i), .rst_ni(rst_ni),
    .bundle_i(bundle_o), .stale_i(stale_o), .coherence_i(coherence_o), .trigger_i(1'b0),
    .csr_req_i(csr_req), .csr_rdata_o(csr_rdata), .lcofi_o(lcofi), .reads_o(reads),
    .sample_o(sample_o), .oir_o(oir_o), .trigger_o(sample_trigger_o),
    /* verilator lint_off PINCONNECTEMPTY */  // the program reads its samples by CSRs
    .sample_taken_o(), .sample_ready_o()
    /* verilator lint_on PINCONNECTEMPTY */
  );
endmodule
