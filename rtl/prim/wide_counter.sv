// A count in four parts that up to two are added to in a cycle, without a carry through all of it: of each part it is
// known whether its bits are all ones.
//
// Invariant: full_q has a bit for each part that is full.
module wide_counter #(
  parameter int unsigned PartBits = 16  // 2 or more
) (
  input  logic        clk_i,
  input  logic        rst_ni,
  input  logic [1:0]  add_i,   // 0 to 2
  output logic [4*PartBits-1:0] count_o
);
  typedef logic [PartBits-1:0] part_t;
  localparam part_t NextToFull = ~part_t'(1);  // all ones but the last
  part_t [3:0] part_q;
  logic [2:0] full_q;
  logic carry;  // out of the first part
  assign carry = full_q[0] ? add_i != '0 : part_q[0] == NextToFull && add_i[1];

  always_ff @(posedge clk_i) begin
    if (!rst_ni) begin
      part_q <= '0;
      full_q <= '0;
    end else begin
      if (add_i != '0) begin
        part_q[0] <= add_i[1] ? part_q[0] + part_t'(2) : part_q[0] + part_t'(1);
        full_q[0] <= part_q[0] == (add_i[1] ? NextToFull - part_t'(1) : NextToFull);
      end
      if (carry) begin
        part_q[1] <= part_q[1] + part_t'(1);
        full_q[1] <= part_q[1] == NextToFull;
        if (full_q[1]) begin
          part_q[2] <= part_q[2] + part_t'(1);
          full_q[2] <= part_q[2] == NextToFull;
          if (full_q[2]) part_q[3] <= part_q[3] + part_t'(1);
        end
      end
    end
  end
  assign count_o = part_q;

  `include "assert.svh"
  `ASSERT(AtMostTwo, add_i != 2'd3)
  for (genvar p = 0; p < 3; p++) begin : gen_full
    `ASSERT(FullIsKnown, full_q[p] == (part_q[p] == '1))
  end
endmodule
