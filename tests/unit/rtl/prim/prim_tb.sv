// The searches of rtl/prim side by side, each at several sizes: the bench gives one input to all, as wide as the
// largest.
module prim_tb (
  input  logic clk_i,
  input  logic rst_ni,
  input  logic [127:0] set_i,
  input  logic [127:0] enter_i,            // age_matrix: cut to size; the bench keeps to the size that it looks at
  input  logic [127:0] stay_i,
  input  logic [127:0] can_i [4],
  input  logic [127:0] before_i,
  input  logic [9:0] name_i [32],
  output int width_o [8],
  output int count_o [8],
  output int entries_o [8],                // of oldest_in_ring
  output logic [7:0] first_valid_o [8],
  output logic [7:0] first_idx_o [64],     // size, then which of them
  output logic [7:0] last_valid_o,
  output logic [7:0] last_idx_o [8],
  output logic [127:0] last_o [8],
  output logic [127:0] picked_o [8],
  output logic [7:0] picks_o [8],
  output logic [7:0] pick_idx_o [32],      // size, then which of them
  output logic [127:0] pick_o [32],
  output logic [127:0] behind_o [8],
  input  logic [7:0] from_i [8],           // of first_in_ring, a place of each size
  output logic [7:0] round_valid_o [8],
  output logic [7:0] round_idx_o [64],     // size, then which of them
  output logic [7:0] ring_valid_o,
  output logic [7:0] ring_idx_o [8]
);
  localparam int unsigned Widths [8] = '{1, 2, 3, 5, 16, 20, 33, 66}, Counts [8] = '{1, 2, 3, 4, 8, 2, 4, 4};
  localparam int unsigned Entries [8] = '{2, 3, 4, 5, 8, 16, 17, 32};
  for (genvar s = 0; s < 8; s++) begin : gen_size
    localparam int unsigned Width = Widths[s], Count = Counts[s];
    localparam int unsigned IdxBits = Width > 1 ? $clog2(Width) : 1, RingBits = $clog2(Entries[s]);
    logic [Count-1:0] valid;
    localparam int unsigned Picks = Count < 4 ? Count : 4;
    logic [IdxBits-1:0] idx [Count], round_idx [Count], last_idx, pick_idx [Picks];
    logic [Count-1:0] round_valid;
    logic [Width-1:0] can [Picks], pick [Picks], picked, behind, last;
    logic [Picks-1:0] picks;
    logic [9:0] name [Entries[s]];
    logic [RingBits-1:0] ring_idx;
    assign width_o[s] = Width;
    assign count_o[s] = Count;
    assign entries_o[s] = Entries[s];
    for (genvar i = 0; i < Entries[s]; i++) begin : gen_name
      assign name[i] = name_i[i];
    end
    find_first #(.Width(Width), .Count(Count)) u_first (.set_i(set_i[Width-1:0]), .valid_o(valid), .idx_o(idx));
    first_in_ring #(.Entries(Width), .Count(Count)) u_round (
      .set_i(set_i[Width-1:0]), .from_i(from_i[s][IdxBits-1:0]), .valid_o(round_valid), .idx_o(round_idx)
    );
    assign round_valid_o[s] = 8'(round_valid);
    find_last #(.Width(Width)) u_last (.set_i(set_i[Width-1:0]), .valid_o(last_valid_o[s]), .last_o(last),
                                       .idx_o(last_idx));
    age_matrix #(.Entries(Width), .Picks(Picks)) u_age (
      .clk_i, .rst_ni, .enter_i(enter_i[Width-1:0]), .stay_i(stay_i[Width-1:0]), .ask_i(set_i[Width-1:0]), .can_i(can),
      .picked_o(picked), .valid_o(picks), .pick_o(pick), .idx_o(pick_idx), .who_i(set_i[Width-1:0]),
      .before_i(before_i[Width-1:0]), .behind_o(behind)
    );
    oldest_in_ring #(.Entries(Entries[s]), .NameBits(10)) u_ring (
      .set_i(set_i[Entries[s]-1:0]), .name_i(name), .valid_o(ring_valid_o[s]), .idx_o(ring_idx)
    );
    assign first_valid_o[s] = 8'(valid);
    assign last_idx_o[s] = 8'(last_idx);
    assign last_o[s] = 128'(last);
    assign picked_o[s] = 128'(picked);
    assign picks_o[s] = 8'(picks);
    assign behind_o[s] = 128'(behind);
    for (genvar k = 0; k < 4; k++) begin : gen_pick
      if (k < Picks) begin : gen_on
        assign can[k] = can_i[k][Width-1:0];
        assign pick_idx_o[4*s+k] = 8'(pick_idx[k]);
        assign pick_o[4*s+k] = 128'(pick[k]);
      end else begin : gen_off
        assign pick_o[4*s+k] = '0;
        assign pick_idx_o[4*s+k] = '0;
      end
    end
    assign ring_idx_o[s] = 8'(ring_idx);
    for (genvar k = 0; k < 8; k++) begin : gen_found
      if (k < Count) begin : gen_on
        assign first_idx_o[8*s+k] = 8'(idx[k]);
        assign round_idx_o[8*s+k] = 8'(round_idx[k]);
      end else begin : gen_off
        assign first_idx_o[8*s+k] = '0;
        assign round_idx_o[8*s+k] = '0;
      end
    end
  end
endmodule
