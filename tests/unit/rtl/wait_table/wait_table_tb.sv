// wait_table, looked at through lane 0, with all lanes on neighbouring addresses.
module wait_table_tb
  import config_pkg::*;
  import core_pkg::*;
(
  input  logic        clk_i,
  input  logic        rst_ni,
  output logic [31:0] width_o,
  input  logic [63:0] pc_i,         // of lane 0; lane i looks at pc_i + 4 i
  output logic [7:0]  waits_o,
  input  logic        learn_i,
  input  logic [63:0] learn_pc_i
);
  word_t pc [CoreWidth];
  logic [CoreWidth-1:0] waits;
  always_comb for (int i = 0; i < CoreWidth; i++) pc[i] = pc_i + 64'(4 * i);
  wait_table u_wait_table (.clk_i, .rst_ni, .pc_i(pc), .waits_o(waits), .learn_i, .learn_pc_i);
  assign waits_o = 8'(waits);
  assign width_o = CoreWidth;
endmodule
