// The member of a set with the highest index. Combinational, log2(Width) steps deep. Invariant: idx_o is 0 for an empty
// set.
module find_last #(
  parameter int unsigned Width = 16,
  localparam int unsigned IdxBits = Width > 1 ? $clog2(Width) : 1
) (
  input  logic [Width-1:0] set_i,
  output logic valid_o,
  output logic [Width-1:0] last_o,    // one-hot, or zero
  output logic [IdxBits-1:0] idx_o
);
  typedef logic [Width-1:0] set_t;

  function automatic set_t with_bit(input int unsigned b);
    for (int i = 0; i < Width; i++) with_bit[i] = (i >> b) % 2 == 1;
  endfunction

  set_t last;
  always_comb begin
    automatic set_t at_or_above = set_i;  // a member lies at this bit or above it
    for (int s = 1; s < Width; s *= 2) at_or_above |= at_or_above >> s;
    last = set_i & ~(at_or_above >> 1);
  end
  for (genvar b = 0; b < IdxBits; b++) begin : gen_bit
    localparam set_t WithBit = with_bit(b);
    assign idx_o[b] = (last & WithBit) != '0;
  end
  assign last_o = last;
  assign valid_o = set_i != '0;
endmodule
