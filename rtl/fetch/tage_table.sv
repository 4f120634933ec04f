// One tagged table of the direction predictor: rows of FetchWidth entries {tag, 3-bit counter, useful bit}.
//
// Read in F0, answers in F1; written as packets retire. Row, tag and rotation are hashes of the block and of the
// newest Length positions of the history. The rotation says which bank holds a slot's entry (bank = slot ^ rotation):
// without it the banks of seldom-used slots would lie idle.
module tage_table
  import config_pkg::*;
  import fetch_pkg::*;
#(
  parameter int unsigned Length = 8,
  parameter int unsigned Number = 1
) (
  input  logic              clk_i,
  input  logic              rst_ni,
  // F0
  input  logic              read_i,
  input  key_t              read_key_i,
  input  logic [Length-1:0] read_hist_i,
  // F1
  output slots_t            hit_o,
  output slots_t            useful_o,
  output logic [FetchWidth-1:0][2:0] ctr_o,
  // retirement
  input  key_t              write_key_i,
  input  logic [Length-1:0] write_hist_i,
  input  slots_t            write_i,          // entry := {tag of this context, counter}
  input  logic [FetchWidth-1:0][2:0] write_ctr_i,
  input  slots_t            useful_write_i,
  input  slots_t            useful_value_i,
  // initialisation
  input  logic              clear_i,
  input  logic [$clog2(TageRows)-1:0] clear_row_i
);
  localparam int unsigned RowBits = $clog2(TageRows);
  localparam int unsigned TagBits = 10;
  typedef logic [RowBits-1:0] row_t;
  typedef logic [TagBits-1:0] tag_t;
  typedef struct packed {
    row_t row;
    tag_t tag;
    slot_t rotation;
  } place_t;
  typedef struct packed {
    tag_t tag;
    logic [2:0] ctr;
  } entry_t;

  function automatic place_t place_of(input key_t key, input logic [Length-1:0] hist);
    logic [Length+15:0] padded;
    row_t row;
    tag_t tag;
    logic [TagBits-2:0] other;
    padded = {16'd0, hist};
    row = RowBits'(key) ^ RowBits'(key >> (RowBits - Number % 4));
    tag = TagBits'(key ^ (key >> TagBits));
    other = '0;
    for (int unsigned i = 0; i < Length; i += RowBits) row ^= padded[i +: RowBits];
    for (int unsigned i = 0; i < Length; i += TagBits) tag ^= padded[i +: TagBits];
    for (int unsigned i = 0; i < Length; i += TagBits - 1) other ^= padded[i +: TagBits-1];
    place_of.row = row;
    place_of.tag = tag ^ {other, 1'b0};
    place_of.rotation = SlotBits'(key >> 2) ^ other[SlotBits-1:0] ^ other[TagBits-2 -: SlotBits];
  endfunction

  place_t read, write;
  assign read = place_of(read_key_i, read_hist_i);

  logic writing;
  assign writing = |write_i || |useful_write_i;
  always_comb begin
    write = '0;
    if (clear_i) write.row = clear_row_i;
    else if (writing) write = place_of(write_key_i, write_hist_i);
  end

  tag_t tag_q;
  slot_t rotation_q;
  always_ff @(posedge clk_i) begin
    if (read_i) begin
      tag_q <= read.tag;
      rotation_q <= read.rotation;
    end
  end

  entry_t entry [FetchWidth];
  slots_t useful;
  for (genvar b = 0; b < FetchWidth; b++) begin : gen_bank
    slot_t slot;  // that this bank holds for the packet written
    entry_t write_entry;
    assign slot = slot_t'(b) ^ write.rotation;
    assign write_entry = clear_i ? '0 : '{tag: write.tag, ctr: write_ctr_i[slot]};
    sync_ram #(.Words(TageRows), .Width($bits(entry_t))) u_entries (
      .clk_i, .rst_ni, .read_i, .read_addr_i(read.row), .data_o(entry[b]),
      .write_i(clear_i || (writing && write_i[slot])), .write_addr_i(write.row), .write_data_i(write_entry)
    );
    sync_ram #(.Words(TageRows), .Width(1)) u_useful (
      .clk_i, .rst_ni, .read_i, .read_addr_i(read.row), .data_o(useful[b]),
      .write_i(clear_i || (writing && useful_write_i[slot])), .write_addr_i(write.row),
      .write_data_i(!clear_i && useful_value_i[slot])
    );
  end

  always_comb begin
    for (int unsigned s = 0; s < FetchWidth; s++) begin
      hit_o[s] = entry[slot_t'(s) ^ rotation_q].tag == tag_q;
      ctr_o[s] = entry[slot_t'(s) ^ rotation_q].ctr;
      useful_o[s] = useful[slot_t'(s) ^ rotation_q];
    end
  end
endmodule
