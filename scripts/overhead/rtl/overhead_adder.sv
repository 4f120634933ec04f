// What a core's cycle is at least: a 64-bit add whose operands come from the register file or from one of four results of the
// cycle before, by bypass. The yardstick of `make overhead`.
module overhead_adder (
  input  logic             clk_i,
  input  logic [1:0][63:0] operand_i,  // from the register file
  input  logic [1:0][2:0]  select_i,   // 0: the operand; 1 to 4: a bypass
  input  logic [2:0][63:0] other_i,    // results of the other three lanes
  output logic [63:0]      sum_o
);
  logic [63:0] sum_q;
  logic [1:0][63:0] operand;
  always_comb
    for (int i = 0; i < 2; i++)
      case (select_i[i])
        3'd1: operand[i] = sum_q;
        3'd2: operand[i] = other_i[0];
        3'd3: operand[i] = other_i[1];
        3'd4: operand[i] = other_i[2];
        default: operand[i] = operand_i[i];
      endcase
  always_ff @(posedge clk_i) sum_q <= operand[0] + operand[1];
  assign sum_o = sum_q;
endmodule
