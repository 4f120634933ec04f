// pmu with its records as plain ports.
module pmu_tb
  import config_pkg::*;
  import core_pkg::*;
(
  input  logic        clk_i,
  input  logic        rst_ni,
  output logic [3:0]  width_o,
  input  logic        machine_i,      // privilege: M, else U
  input  logic [3:0]  retired_i,
  input  logic [11:0] addr_i,
  input  logic        write_i,
  input  logic [63:0] wdata_i,
  output logic [63:0] rdata_o,
  input  logic [11:0] host_addr_i,
  output logic [63:0] host_rdata_o,
  input  logic [63:0] period_i,
  input  logic [5:0]  jitter_bits_i,
  input  logic        seed_valid_i,
  input  logic [31:0] seed_i,
  output logic        lcofi_o,
  output logic        trigger_o
);
  csr_req_t req;
  assign width_o = 4'(CoreWidth);
  assign req = '{addr: addr_i, write: write_i, wdata: wdata_i};
  pmu u_pmu (
    .clk_i(clk_i), .rst_ni(rst_ni), .priv_i(machine_i ? PRIV_M : PRIV_U), .retired_i(retired_i[LaneBits:0]),
    .req_i(req), .rdata_o(rdata_o), .period_i(period_i),
    .jitter_bits_i(jitter_bits_i), .seed_valid_i(seed_valid_i), .seed_i(seed_i), .lcofi_o(lcofi_o),
    .trigger_o(trigger_o)
  );
  // What the harness reads.
  assign host_rdata_o = u_pmu.read(host_addr_i);
endmodule
