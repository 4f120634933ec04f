// What the platform says of a physical address. Combinational.
module region_check
  import config_pkg::*;
  import core_pkg::*;
(
  input  region_t     region_i [Regions],
  input  word_t       address_i,
  output attributes_t attributes_o
);
  always_comb begin
    attributes_o = '0;
    for (int unsigned i = 0; i < Regions; i++)
      if (((address_i ^ region_i[i].base) & region_i[i].mask) == '0) attributes_o |= region_i[i].attributes;
  end
endmodule
