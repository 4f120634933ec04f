// The first Count members of a set, from a place on and round its ring: the oldest of a queue, where the place is its
// head.
//
//   on    = members from the place on, round = those below it: both are searched at once
//   k-th  = the k-th of on, or, where on has only j of them, the (k-j)-th of round
//
// Combinational; one multiplexer deeper than find_first. Invariant: idx_o[k] is 0 where there are not more than k.
module first_in_ring #(
  parameter int unsigned Entries = 16,
  parameter int unsigned Count = 1,
  localparam int unsigned IdxBits = Entries > 1 ? $clog2(Entries) : 1
) (
  input  logic [Entries-1:0] set_i,
  input  logic [IdxBits-1:0] from_i,
  output logic [Count-1:0] valid_o,        // there are more than k members
  output logic [IdxBits-1:0] idx_o [Count]
);
  logic [Entries-1:0] below;
  logic [Count-1:0] on_valid, round_valid;
  logic [IdxBits-1:0] on_idx [Count], round_idx [Count];
  assign below = ~({Entries{1'b1}} << from_i);

  find_first #(.Width(Entries), .Count(Count)) u_on (.set_i(set_i & ~below), .valid_o(on_valid), .idx_o(on_idx));
  find_first #(.Width(Entries), .Count(Count)) u_round (.set_i(set_i & below), .valid_o(round_valid),
                                                        .idx_o(round_idx));

  always_comb begin
    for (int k = 0; k < Count; k++) begin
      valid_o[k] = on_valid[k];
      idx_o[k] = on_idx[k];
      for (int j = 0; j <= k; j++)  // on has j: not more than j, and more than j-1
        if (!on_valid[j] && (j == 0 || on_valid[j > 0 ? j - 1 : 0])) begin
          valid_o[k] = round_valid[k-j];
          idx_o[k] = round_idx[k-j];
        end
    end
  end
endmodule
