// The oldest of those that ask, by an age matrix: older_i[i] names the entries that are older than entry i.
//
// Combinational: an AND and an OR over a row, then the index. oldest_o is what the next one in a chain takes out of its own
// ask: no index is made and taken apart again between two picks. Invariant: oldest_o is one-hot, or zero where nobody asks,
// if older_i orders those that ask; what it says of others is not looked at.
// The loop goes by blocks and skips those where nobody asks, which costs no gate and saves simulation time.
module oldest_of #(
  parameter int unsigned Entries = 16,
  localparam int unsigned IdxBits = Entries > 1 ? $clog2(Entries) : 1
) (
  input  logic [Entries-1:0] ask_i,
  input  logic [Entries-1:0] older_i [Entries],
  output logic [Entries-1:0] oldest_o,
  output logic [IdxBits-1:0] idx_o         // 0 where nobody asks
);
  localparam int unsigned Block = 16, Blocks = (Entries + Block - 1) / Block;
  typedef logic [Entries-1:0] set_t;

  function automatic set_t with_bit(input int unsigned b);
    for (int i = 0; i < Entries; i++) with_bit[i] = (i >> b) % 2 == 1;
  endfunction

  logic [Blocks-1:0][Block-1:0] asks;
  assign asks = (Blocks * Block)'(ask_i);
  always_comb begin
    oldest_o = '0;
    for (int b = 0; b < Blocks; b++)
      if (asks[b] != '0)
        for (int i = Block * b; i < Block * (b + 1); i++)
          if (i < Entries && ask_i[IdxBits'(i)] && (older_i[IdxBits'(i)] & ask_i) == '0) oldest_o[IdxBits'(i)] = 1'b1;
    for (int b = 0; b < IdxBits; b++) idx_o[b] = (oldest_o & with_bit(b)) != '0;
  end
endmodule
