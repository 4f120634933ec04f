// What physical memory protection grants S and U in the page of a leaf, and which regions of the memory map it lies in,
// on its way into the first-level TLBs, so that no access waits for the comparison with all of them. Combinational.
//
// Protection goes by pages of 4 KiB. A larger page that a region's end cuts has no rights as a whole: of such a leaf
// goes on what it says of vpn_i, as a page of 4 KiB. TLBs hold nothing else of it, so what they grant is exact; they
// are emptied when a PMP register is written. A region of the memory map may end anywhere, in a page too: of it, the
// leaf has what follows from the page number, and leaf_region_check compares the rest.
module page_rights
  import config_pkg::*;
  import core_pkg::*;
  import mmu_pkg::*;
(
  input  pmp_region_t pmp_i [PmpRegions],
  input  region_t     region_i [Regions],
  input  logic        valid_i,     // else nothing is compared
  input  vpn_t        vpn_i,
  input  leaf_t       leaf_i,      // its rights do not count
  output leaf_t       leaf_o
);
  // An end cuts the page if it is in it, but not where it begins.
  function automatic logic cuts(input logic [44:0] edge_, input logic [1:0] level, input logic [34:0] upper);
    cuts = edge_[44:18] == {1'b0, upper[34:9]} && (level >= 2'd2 ? edge_[17:0] != '0
                                                   : edge_[17:9] == upper[8:0] && edge_[8:0] != '0);
  endfunction

  ppn_t page;
  logic cut;
  rights_t granted;
  assign page = leaf_ppn(leaf_i, vpn_i);
  always_comb begin
    cut = 1'b0;
    if (PmpEntries > 0 && valid_i && leaf_i.level != 2'd0)
      for (int unsigned r = 0; r < PmpRegions; r++)
        cut |= pmp_i[r].on && (cuts(pmp_i[r].base, leaf_i.level, leaf_i.ppn[43:9]) ||
                               cuts(pmp_i[r].limit, leaf_i.level, leaf_i.ppn[43:9]));
  end

  pmp_check u_pmp_check (.pmp_i, .look_i(valid_i), .ppn_i(page), .priv_i(PRIV_S), .rights_o(granted));

  always_comb begin
    leaf_o = leaf_i;
    leaf_o.granted = granted;
    if (cut) begin
      leaf_o.level = 2'd0;
      leaf_o.ppn = page;
    end
    leaf_o.regions = '0;
    if (valid_i)
      for (int unsigned r = 0; r < Regions; r++) leaf_o.regions[r] = meets(region_i[r], leaf_o.ppn, leaf_o.level);
  end
endmodule
