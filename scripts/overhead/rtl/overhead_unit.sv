// The profiling units as a core has them: profile_top, without what checkers and tracers look at. Measured by `make overhead`.
//
// Without vectors (profile.vectors = 0) the core gives none, so that nothing holds them.
module overhead_unit
  import config_pkg::*;
  import records_pkg::*;
  import core_pkg::*;
(
  input  logic           clk_i,
  input  logic           rst_ni,
  input  commit_bundle_t bundle_i,
  input  logic           trigger_i,
  input  csr_req_t       csr_req_i,
  output word_t          csr_rdata_o,
  output logic           lcofi_o
);
  commit_bundle_t bundle;
  always_comb begin
    bundle = bundle_i;
    if (Vectors == 0) begin
      bundle.psv = '0;
      bundle.exception_psv = '0;
    end
  end

  profile_top u_profile_top (
    .clk_i(clk_i), .rst_ni(rst_ni), .bundle_i(bundle), .stale_i('0), .coherence_i('0), .trigger_i(trigger_i),
    .csr_req_i(csr_req_i), .csr_rdata_o(csr_rdata_o), .lcofi_o(lcofi_o),
    .reads_o(), .sample_o(), .oir_o(), .trigger_o(), .sample_taken_o(), .sample_ready_o()
  );
endmodule
