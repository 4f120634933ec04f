// A core with its profiling units, as rtl/tile.sv, without what checkers look at; Units = 0: the core alone, without anything for the units.
module overhead_tile
  import config_pkg::*;
  import core_pkg::*;
  import line_pkg::*;
  import records_pkg::*;
  import profile_pkg::*;
#(
  parameter int unsigned Units = 1
) (
  input  logic           clk_i,
  input  logic           rst_ni,
  output memory_out_t    memory_o,
  input  memory_in_t     memory_i,
  input  machine_t       machine_i,
  input  word_t          reset_pc_i,
  input  region_t        region_i [Regions]
);
  commit_bundle_t bundle;
  csr_req_t csr_req;
  word_t csr_rdata;
  logic lcofi, reads;
  stale_t stale;
  coherence_t coherence;

  core u_core (
    .clk_i, .rst_ni, .memory_o, .memory_i, .hub_o(), .hub_i('0), .machine_i, .reset_pc_i, .region_i,
    .bundle_o(bundle), .reads_i(reads), .stale_o(stale), .coherence_o(coherence), .lost_o(), .rvfi_o(), .csr_ext_req_o(csr_req), .csr_ext_rdata_i(csr_rdata), .lcofi_i(lcofi)
  );

  if (Units != 0) begin : gen_units
    profile_top u_profile_top (
      .clk_i, .rst_ni, .bundle_i(bundle), .stale_i(stale), .coherence_i(coherence), .trigger_i(1'b0), .csr_req_i(csr_req), .csr_rdata_o(csr_rdata), .lcofi_o(lcofi),
      .reads_o(reads), .sample_o(), .oir_o(), .trigger_o(), .sample_taken_o(), .sample_ready_o()
    );
  end else begin : gen_none
    assign csr_rdata = '0;
    assign lcofi = 1'b0;
    assign reads = 1'b0;
  end
endmodule
