// The oldest of a set by names from a ring: {wrap bit, index}, all of them alive together, so that two compare by age.
//
// A tournament: log2(Entries) comparisons deep, no state. Invariant: idx_o is 0 for an empty set; of equals the lowest
// wins.
module oldest_in_ring #(
  parameter int unsigned Entries = 16,
  parameter int unsigned NameBits = 6,     // with the wrap bit on top
  localparam int unsigned IdxBits = Entries > 1 ? $clog2(Entries) : 1
) (
  input  logic [Entries-1:0] set_i,
  input  logic [NameBits-1:0] name_i [Entries],
  output logic valid_o,
  output logic [IdxBits-1:0] idx_o
);
  localparam int unsigned Places = 1 << $clog2(Entries);
  typedef logic [NameBits-1:0] name_t;

  function automatic logic older(input name_t a, input name_t b);
    older = (a[NameBits-1] == b[NameBits-1]) == (a[NameBits-2:0] < b[NameBits-2:0]) &&
            a[NameBits-2:0] != b[NameBits-2:0];
  endfunction

  assign valid_o = set_i != '0;
  always_comb begin
    automatic logic there [Places];
    automatic name_t name [Places];
    automatic logic [IdxBits-1:0] best [Places];
    for (int i = 0; i < Places; i++) begin
      there[i] = i < Entries && set_i[i < Entries ? i : 0];
      name[i] = name_i[i < Entries ? i : 0];
      best[i] = IdxBits'(i);
    end
    idx_o = '0;
    if (set_i != '0) begin
      for (int s = 1; s < Places; s *= 2)
        for (int i = 0; i < Places; i += 2 * s)
          if (there[i+s] && (!there[i] || older(name[i+s], name[i]))) begin
            there[i] = 1'b1;
            name[i] = name[i+s];
            best[i] = best[i+s];
          end
      idx_o = best[0];
    end
  end
endmodule
