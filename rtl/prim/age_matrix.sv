// Who of a set of entries came first, whatever entry each has: a row for each entry names those that are older than it.
//
//   enter_i --> rows --> picks, one after the other from the highest down: each takes the oldest of those that ask,
//   can, and are left
//                   +--> behind_o: who of who_i has an older one in before_i
//
// What enters in cycle t is ordered from t+1 on; entries that enter together are ordered by index. Combinational
// otherwise. A pick is an AND and an OR over a row; the next one gets what is left one-hot, with no index made and
// taken apart between two. Invariant: the rows order all valid entries; what they say of others is not looked
// at: those must not ask. Loops go by blocks and skip those where nobody asks, which costs no gate and saves simulation
// time; the rows are here, with those who look at them, because an array that passes a port is copied in simulation.
module age_matrix #(
  parameter int unsigned Entries = 16,
  parameter int unsigned Picks = 2,
  localparam int unsigned IdxBits = Entries > 1 ? $clog2(Entries) : 1
) (
  input  logic clk_i,
  input  logic rst_ni,
  input  logic [Entries-1:0] enter_i,
  input  logic [Entries-1:0] stay_i,           // there now, and in the next cycle
  input  logic [Entries-1:0] ask_i,
  input  logic [Entries-1:0] can_i [Picks],    // whom each pick may take
  output logic [Entries-1:0] picked_o,         // by any of them
  output logic [Picks-1:0] valid_o,
  output logic [Entries-1:0] pick_o [Picks],   // one-hot, or zero
  output logic [IdxBits-1:0] idx_o [Picks],    // the same as an index, later; 0 where none is picked
  input  logic [Entries-1:0] who_i,
  input  logic [Entries-1:0] before_i,
  output logic [Entries-1:0] behind_o
);
  localparam int unsigned Block = 16, Blocks = (Entries + Block - 1) / Block;
  typedef logic [Entries-1:0] set_t;
  typedef logic [Blocks-1:0][Block-1:0] blocks_t;

  // Indices with bit b: an index is the OR over what is one-hot or zero.
  function automatic set_t with_bit(input int unsigned b);
    for (int i = 0; i < Entries; i++) with_bit[i] = (i >> b) % 2 == 1;
  endfunction

  set_t older [Entries];
  for (genvar i = 0; i < Entries; i++) begin : gen_row
    localparam set_t Below = ~({Entries{1'b1}} << i);
    set_t row_q;  // by itself: an array written in one go is dear in simulation
    always_ff @(posedge clk_i)
      if (enter_i[i]) row_q <= stay_i | (enter_i & Below);
      else if (enter_i != '0) row_q <= row_q & ~enter_i;
    assign older[i] = row_q;
  end

  // ---- picks ----
  for (genvar p = Picks - 1; p >= 0; p--) begin : gen_pick
    set_t from, mine, oldest, left;
    blocks_t those;
    if (p == Picks - 1) begin : gen_top
      assign from = ask_i;
    end else begin : gen_below
      assign from = gen_pick[p+1].left;
    end
    assign mine = from & can_i[p];
    assign those = (Blocks * Block)'(mine);
    always_comb begin
      oldest = '0;
      for (int b = 0; b < Blocks; b++)
        if (those[b] != '0)
          for (int i = Block * b; i < Block * (b + 1); i++)
            if (i < Entries && mine[IdxBits'(i)] && (older[IdxBits'(i)] & mine) == '0) oldest[IdxBits'(i)] = 1'b1;
    end
    assign left = from & ~oldest;
    assign valid_o[p] = mine != '0;
    assign pick_o[p] = oldest;
    for (genvar b = 0; b < IdxBits; b++) begin : gen_bit
      localparam set_t WithBit = with_bit(b);
      assign idx_o[p][b] = (oldest & WithBit) != '0;
    end
  end
  assign picked_o = ask_i & ~gen_pick[0].left;

  always_comb begin
    behind_o = '0;
    if (who_i != '0) for (int i = 0; i < Entries; i++) if (who_i[i]) behind_o[i] = (older[i] & before_i) != '0;
  end

  `include "assert.svh"
  `ASSERT(OneEach, 32'($countones(picked_o)) == 32'($countones(valid_o)))
  `ASSERT(EntersOnce, (enter_i & stay_i) == '0)
endmodule
