// Stand for the data TLB and the checks of an access where ST_TLB is followed: any lookup may hit or miss (the proof's
// free_hit_i, by name), and what is allowed does not matter.
module tlb
  import core_pkg::*;
  import mmu_pkg::*;
#(
  parameter int unsigned Entries = 16,
  parameter int unsigned Ports = 1
) (
  /* verilator lint_off UNUSEDSIGNAL */  // a stub
  input  logic  clk_i,
  input  logic  rst_ni,
  input  tlb_flush_t flush_i,
  input  asid_t asid_i,
  input  logic [Ports-1:0] look_valid_i,
  input  vpn_t  look_vpn_i [Ports],
  output logic [Ports-1:0] hit_o,
  output leaf_t leaf_o [Ports],
  input  logic  fill_valid_i,
  input  vpn_t  fill_vpn_i,
  input  leaf_t fill_leaf_i
  /* verilator lint_on UNUSEDSIGNAL */
);
  assign hit_o = psv_tlb_proof.free_hit_i;
  always_comb for (int p = 0; p < Ports; p++) leaf_o[p] = '0;
endmodule

module lsu_check
  import config_pkg::*;
  import core_pkg::*;
  import mmu_pkg::*;
(
  /* verilator lint_off UNUSEDSIGNAL */  // a stub
  input  vm_t         vm_i,
  input  pmp_region_t pmp_i [PmpRegions],
  input  region_t     region_i [Regions],
  input  logic        translates_i,
  input  logic        amo_i,
  input  logic        reads_i,
  input  logic        misaligned_i,
  input  word_t       addr_i,
  input  leaf_t       leaf_i,
  input  logic        walk_page_i,
  input  logic        walk_access_i,
  /* verilator lint_on UNUSEDSIGNAL */
  output word_t       addr_o,
  output logic        device_o,
  output logic        exception_o,
  output cause_t      cause_o
);
  assign addr_o = '0;
  assign device_o = 1'b0;
  assign exception_o = 1'b0;
  assign cause_o = '0;
endmodule
