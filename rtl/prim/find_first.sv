// The first Count members of a set, lowest index first.
//
//   among[k][i]: more than k members lie at i or below it    -- counts in unary, by a parallel prefix over the bits
//   first[k]   = members with more than k-1 and not more than k members below them
//
// Combinational; log2(Width) steps deep, whatever Count is. Invariant: idx_o[k] is 0 where there are not more than k.
module find_first #(
  parameter int unsigned Width = 16,
  parameter int unsigned Count = 1,
  localparam int unsigned IdxBits = Width > 1 ? $clog2(Width) : 1
) (
  input  logic [Width-1:0] set_i,
  output logic [Count-1:0] valid_o,        // there are more than k members
  output logic [IdxBits-1:0] idx_o [Count]
);
  typedef logic [Width-1:0] set_t;

  // Indices with bit b: an index is the OR over what is one-hot or zero.
  function automatic set_t with_bit(input int unsigned b);
    for (int i = 0; i < Width; i++) with_bit[i] = (i >> b) % 2 == 1;
  endfunction

  set_t first [Count];
  always_comb begin
    automatic set_t among [Count];
    automatic set_t lower [Count];
    for (int k = 0; k < Count; k++) among[k] = k == 0 ? set_i : '0;
    for (int s = 1; s < Width; s *= 2) begin
      for (int k = 0; k < Count; k++) lower[k] = among[k] << s;
      for (int k = Count - 1; k >= 0; k--) begin  // downwards: those below k are still the old ones
        among[k] |= lower[k];
        for (int j = 0; j < k; j++) among[k] |= among[j] & lower[k-1-j];
      end
    end
    for (int k = 0; k < Count; k++) begin
      valid_o[k] = among[k][Width-1];
      first[k] = set_i & ~(among[k] << 1);
      if (k > 0) first[k] &= among[k > 0 ? k - 1 : 0] << 1;
    end
  end

  for (genvar b = 0; b < IdxBits; b++) begin : gen_bit
    localparam set_t WithBit = with_bit(b);
    for (genvar k = 0; k < Count; k++) begin : gen_idx
      assign idx_o[k][b] = (first[k] & WithBit) != '0;
    end
  end
endmodule
