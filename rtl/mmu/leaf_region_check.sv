// What the platform says of a translated address: as region_check of the physical one, but of a leaf that says of each
// region whether its page number lies in there (page_rights). What is left to compare is the
// virtual address below the page's size, beside the TLB. Combinational.
module leaf_region_check
  import config_pkg::*;
  import core_pkg::*;
  import mmu_pkg::*;
(
  input  region_t     region_i [Regions],
  input  logic [29:0] offset_i,    // the address, as far as a page of 1 GiB does not translate it
  input  leaf_t       leaf_i,
  output attributes_t attributes_o
);
  logic [Regions-1:0] under [3];  // by the bits below 4 KiB, 2 MiB, 1 GiB
  always_comb
    for (int unsigned i = 0; i < Regions; i++) begin
      under[0][i] = ((offset_i[11:0] ^ region_i[i].base[11:0]) & region_i[i].mask[11:0]) == '0;
      under[1][i] = under[0][i] && ((offset_i[20:12] ^ region_i[i].base[20:12]) & region_i[i].mask[20:12]) == '0;
      under[2][i] = under[1][i] && ((offset_i[29:21] ^ region_i[i].base[29:21]) & region_i[i].mask[29:21]) == '0;
    end

  logic [Regions-1:0] lies;
  assign lies = leaf_i.regions & (leaf_i.level >= 2'd2 ? under[2] : leaf_i.level == 2'd1 ? under[1] : under[0]);
  always_comb begin
    attributes_o = '0;
    for (int unsigned i = 0; i < Regions; i++) attributes_o |= region_i[i].attributes & {$bits(attributes_t){lies[i]}};
  end
endmodule
