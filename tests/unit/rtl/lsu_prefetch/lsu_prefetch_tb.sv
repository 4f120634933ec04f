// lsu_prefetch with flat ports; misses by their port's bit.
module lsu_prefetch_tb
  import config_pkg::*;
  import dcache_pkg::*;
(
  input  logic        clk_i,
  input  logic        rst_ni,
  output logic [31:0] ports_o,
  output logic        prefetches_o,
  output logic [31:0] line_bits_o,
  input  logic [1:0]  miss_i,
  input  logic [63:0] line_i [2],
  output logic        valid_o,
  output logic [63:0] line_o,
  input  logic        take_i
);
  line_t line [MemPorts], out;
  for (genvar p = 0; p < MemPorts; p++) begin : gen_port
    assign line[p] = line_t'(line_i[p]);
  end
  lsu_prefetch u_dut (.clk_i, .rst_ni, .miss_i(miss_i[MemPorts-1:0]), .line_i(line), .valid_o, .line_o(out), .take_i);
  assign ports_o = MemPorts;
  assign prefetches_o = DcPrefetch != 0;
  assign line_bits_o = $bits(line_t);
  assign line_o = 64'(out);
endmodule
