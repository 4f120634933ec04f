// wide_counter as it is used, and in parts so short that the bench can go round all of it.
module wide_counter_tb (
  input  logic        clk_i,
  input  logic        rst_ni,
  input  logic [1:0]  add_i,
  output logic [63:0] count_o,
  output logic [15:0] short_o
);
  wide_counter u_counter (.clk_i(clk_i), .rst_ni(rst_ni), .add_i(add_i), .count_o(count_o));
  wide_counter #(.PartBits(4)) u_short (.clk_i(clk_i), .rst_ni(rst_ni), .add_i(add_i), .count_o(short_o));
endmodule
