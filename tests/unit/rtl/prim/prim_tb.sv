// The searches of rtl/prim side by side, each at several sizes: the bench gives one input to all, as wide as the largest.
module prim_tb (
  input  logic [127:0] set_i,
  input  logic [127:0] older_i [96],
  input  logic [9:0] name_i [32],
  output int width_o [8],
  output int count_o [8],
  output int entries_o [8],                // of oldest_in_ring
  output logic [7:0] first_valid_o [8],
  output logic [7:0] first_idx_o [64],     // size, then which of them
  output logic [7:0] last_valid_o,
  output logic [7:0] last_idx_o [8],
  output logic [127:0] oldest_o [8],
  output logic [7:0] oldest_idx_o [8],
  output logic [7:0] ring_valid_o,
  output logic [7:0] ring_idx_o [8]
);
  localparam int unsigned Widths [8] = '{1, 2, 3, 5, 16, 20, 48, 96}, Counts [8] = '{1, 2, 3, 4, 8, 2, 4, 4};
  localparam int unsigned Entries [8] = '{2, 3, 4, 5, 8, 16, 17, 32};
  for (genvar s = 0; s < 8; s++) begin : gen_size
    localparam int unsigned Width = Widths[s], Count = Counts[s];
    localparam int unsigned IdxBits = Width > 1 ? $clog2(Width) : 1, RingBits = $clog2(Entries[s]);
    logic [Count-1:0] valid;
    logic [IdxBits-1:0] idx [Count], last_idx, oldest_idx;
    logic [Width-1:0] older [Width], oldest;
    logic [9:0] name [Entries[s]];
    logic [RingBits-1:0] ring_idx;
    assign width_o[s] = Width;
    assign count_o[s] = Count;
    assign entries_o[s] = Entries[s];
    for (genvar i = 0; i < Width; i++) begin : gen_row
      assign older[i] = older_i[i][Width-1:0];
    end
    for (genvar i = 0; i < Entries[s]; i++) begin : gen_name
      assign name[i] = name_i[i];
    end
    find_first #(.Width(Width), .Count(Count)) u_first (.set_i(set_i[Width-1:0]), .valid_o(valid), .idx_o(idx));
    find_last #(.Width(Width)) u_last (.set_i(set_i[Width-1:0]), .valid_o(last_valid_o[s]), .idx_o(last_idx));
    oldest_of #(.Entries(Width)) u_oldest (.ask_i(set_i[Width-1:0]), .older_i(older), .oldest_o(oldest), .idx_o(oldest_idx));
    oldest_in_ring #(.Entries(Entries[s]), .NameBits(10)) u_ring (
      .set_i(set_i[Entries[s]-1:0]), .name_i(name), .valid_o(ring_valid_o[s]), .idx_o(ring_idx)
    );
    assign first_valid_o[s] = 8'(valid);
    assign last_idx_o[s] = 8'(last_idx);
    assign oldest_o[s] = 128'(oldest);
    assign oldest_idx_o[s] = 8'(oldest_idx);
    assign ring_idx_o[s] = 8'(ring_idx);
    for (genvar k = 0; k < 8; k++) begin : gen_found
      if (k < Count) begin : gen_on
        assign first_idx_o[8*s+k] = 8'(idx[k]);
      end else begin : gen_off
        assign first_idx_o[8*s+k] = '0;
      end
    end
  end
endmodule
