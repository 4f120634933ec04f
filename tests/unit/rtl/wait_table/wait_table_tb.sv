// wait_table, looked at through lane 0, with all lanes on neighbouring addresses.
module wait_table_tb
  import config_pkg::*;
  import core_pkg::*;
  import commit_pkg::*;
(
  input  logic        clk_i,
  input  logic        rst_ni,
  output logic [31:0] width_o,
  input  logic [63:0] pc_i,         // of lane 0; lane i looks at pc_i + 4 i
  output logic [7:0]  waits_o,
  input  logic        raise_i,
  input  logic        replay_i,
  input  logic [5:0]  cause_i,
  input  logic [63:0] raise_pc_i,
  output logic [5:0]  order_o,      // causes of replays
  output logic [5:0]  snoop_o
);
  word_t pc [CoreWidth];
  raise_t raised;
  assign raised = '{valid: raise_i, irq: raise_i && !replay_i, replay: replay_i, cause: cause_i, tval: '0,
                    epc: raise_pc_i};
  logic [CoreWidth-1:0] waits;
  always_comb for (int i = 0; i < CoreWidth; i++) pc[i] = pc_i + 64'(4 * i);
  wait_table u_wait_table (.clk_i, .rst_ni, .pc_i(pc), .waits_o(waits), .raise_i(raised));
  assign {order_o, snoop_o} = {ReplayOrder, ReplaySnoop};
  assign waits_o = 8'(waits);
  assign width_o = CoreWidth;
endmodule
