// round_robin at several sizes, side by side: each sees the lowest bits of what the bench gives.
module round_robin_tb (
  input  logic clk_i,
  input  logic rst_ni,
  input  logic [15:0] set_i,
  input  logic take_i,                // the grant, where there is one
  output int width_o [6],
  output logic [5:0] valid_o,
  output logic [7:0] idx_o [6]
);
  localparam int unsigned Widths [6] = '{1, 2, 3, 5, 8, 16};
  for (genvar s = 0; s < 6; s++) begin : gen_size
    localparam int unsigned Width = Widths[s];
    logic [(Width > 1 ? $clog2(Width) : 1)-1:0] idx;
    assign width_o[s] = Width;
    assign idx_o[s] = 8'(idx);
    round_robin #(.Width(Width)) u_dut (
      .clk_i, .rst_ni, .set_i(set_i[Width-1:0]), .take_i(take_i && set_i[Width-1:0] != '0), .valid_o(valid_o[s]),
      .idx_o(idx)
    );
  end
endmodule
