// Two TLBs with flat ports, of five and of sixteen entries; which_i chooses the one that is fed and looked at.
module tlb_tb
  import core_pkg::*;
  import mmu_pkg::*;
(
  input  logic        clk_i,
  input  logic        rst_ni,
  input  logic        which_i,
  input  logic        flush_i,
  input  logic        walks_i,        // the flush that drops no entry
  input  logic        by_asid_i,
  input  logic [7:0]  flush_asid_i,
  input  logic        by_page_i,
  input  logic [26:0] flush_vpn_i,
  input  logic [7:0]  asid_i,
  input  logic [1:0]  look_valid_i,
  input  logic [26:0] look_vpn_i [2],
  output logic [1:0]  hit_o,
  output logic [63:0] leaf_o [2],
  input  logic        fill_i,
  input  logic [26:0] fill_vpn_i,
  input  logic [63:0] fill_leaf_i
);
  logic [1:0] hit [2];
  tlb_flush_t flush [2];
  for (genvar t = 0; t < 2; t++) begin : gen_flush
    assign flush[t] = '{walks: walks_i || flush_i, entries: flush_i && which_i == t[0], by_asid: by_asid_i,
                        asid: flush_asid_i, by_page: by_page_i, vpn: flush_vpn_i};
  end
  leaf_t leaf0 [2], leaf1 [2];
  tlb #(.Entries(5), .Ports(2)) u_five (
    .clk_i, .rst_ni, .flush_i(flush[0]), .asid_i, .look_valid_i(look_valid_i & {2{!which_i}}), .look_vpn_i,
    .hit_o(hit[0]), .leaf_o(leaf0), .fill_valid_i(fill_i && !which_i), .fill_vpn_i,
    .fill_leaf_i($bits(leaf_t)'(fill_leaf_i))
  );
  tlb #(.Entries(16), .Ports(2)) u_sixteen (
    .clk_i, .rst_ni, .flush_i(flush[1]), .asid_i, .look_valid_i(look_valid_i & {2{which_i}}), .look_vpn_i,
    .hit_o(hit[1]), .leaf_o(leaf1), .fill_valid_i(fill_i && which_i), .fill_vpn_i,
    .fill_leaf_i($bits(leaf_t)'(fill_leaf_i))
  );
  assign hit_o = hit[which_i];
  for (genvar p = 0; p < 2; p++) begin : gen_leaf
    assign leaf_o[p] = which_i ? 64'(leaf1[p]) : 64'(leaf0[p]);
  end
endmodule
