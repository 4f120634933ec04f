// Another thing that a core does in a cycle: four instructions renamed, each with two sources and a destination, the younger ones
// seeing what the older ones have been given. The second yardstick of `make overhead`.
module overhead_rename #(
  parameter int unsigned Lanes = 4,
  parameter int unsigned Bits = 7  // of a physical register's number
) (
  input  logic                        clk_i,
  input  logic                        rst_ni,
  input  logic [Lanes-1:0]            valid_i,  // has a destination
  input  logic [Lanes-1:0][4:0]       rd_i,
  input  logic [Lanes-1:0][1:0][4:0]  rs_i,
  input  logic [Lanes-1:0][Bits-1:0]  fresh_i,  // a free register for each
  output logic [Lanes-1:0][1:0][Bits-1:0] source_o
);
  logic [31:0][Bits-1:0] map_q, map_d;
  logic [Lanes-1:0][1:0][Bits-1:0] source, source_q;
  always_comb begin
    map_d = map_q;
    for (int i = 0; i < Lanes; i++) begin
      for (int s = 0; s < 2; s++) begin
        source[i][s] = map_q[rs_i[i][s]];
        for (int k = 0; k < i; k++) if (valid_i[k] && rd_i[k] == rs_i[i][s]) source[i][s] = fresh_i[k];
      end
      if (valid_i[i]) map_d[rd_i[i]] = fresh_i[i];
    end
  end
  always_ff @(posedge clk_i) begin
    if (!rst_ni) for (int r = 0; r < 32; r++) map_q[r] <= Bits'(r);
    else map_q <= map_d;
    source_q <= source;
  end
  assign source_o = source_q;
endmodule
