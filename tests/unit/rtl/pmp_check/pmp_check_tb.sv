// pmp_check with flat ports: 16 regions, the first PmpRegions count.
module pmp_check_tb
  import config_pkg::*;
  import core_pkg::*;
  import mmu_pkg::*;
(
  output logic [31:0] entries_o,
  input  logic [15:0] on_i,
  input  logic [15:0] locked_i,
  input  logic [15:0] x_i,
  input  logic [15:0] w_i,
  input  logic [15:0] r_i,
  input  logic [44:0] base_i [16],
  input  logic [44:0] limit_i [16],
  input  logic        look_i,
  input  logic [43:0] ppn_i,
  input  logic [1:0]  access_i,
  input  logic [1:0]  priv_i,
  output logic        allowed_o
);
  pmp_region_t pmp [PmpRegions];
  for (genvar r = 0; r < PmpRegions; r++) begin : gen_region
    assign pmp[r] = '{on: on_i[r], locked: locked_i[r], x: x_i[r], w: w_i[r], r: r_i[r], base: base_i[r],
                      limit: limit_i[r]};
  end
  rights_t rights;
  pmp_check u_dut (.pmp_i(pmp), .look_i, .ppn_i, .priv_i(priv_e'(priv_i)), .rights_o(rights));
  assign allowed_o = grants(rights, access_e'(access_i));
  assign entries_o = PmpEntries;
endmodule
