// region_check with flat ports.
module region_check_tb
  import config_pkg::*;
  import core_pkg::*;
(
  output logic [31:0] regions_o,
  input  logic [63:0] base_i [Regions],
  input  logic [63:0] mask_i [Regions],
  input  logic [4:0]  is_i [Regions],    // memory, device, r, w, x
  input  logic [63:0] address_i,
  output logic [4:0]  is_o
);
  region_t region [Regions];
  for (genvar r = 0; r < Regions; r++) begin : gen_region
    assign region[r] = '{base: base_i[r], mask: mask_i[r], attributes: is_i[r]};
  end
  region_check u_dut (.region_i(region), .address_i, .attributes_o(is_o));
  assign regions_o = Regions;
endmodule
