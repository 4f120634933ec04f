// psv_table of twelve entries, two lanes and three sources, with flat ports.
module psv_table_tb (
  input  logic        clk_i,
  input  logic [1:0]  enter_i,
  input  logic [7:0]  enter_index_i,
  input  logic [17:0] enter_psv_i,
  input  logic [2:0]  set_i,
  input  logic [11:0] set_index_i,
  input  logic [26:0] set_psv_i,
  input  logic [7:0]  read_index_i,
  output logic [17:0] psv_o
);
  psv_table #(.Entries(12), .Lanes(2), .Sets(3), .Bits(9)) u_table (
    .clk_i, .enter_i, .enter_index_i, .enter_psv_i, .set_i, .set_index_i, .set_psv_i, .read_index_i, .psv_o
  );
endmodule
