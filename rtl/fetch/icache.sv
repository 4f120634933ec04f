// Instruction cache: IcSets x IcWays lines of 64 bytes, read a fetch block at a time.
//
// Virtually indexed, physically tagged; the index lies in the page offset, so no line is in two places. F0 reads tags
// and data of all ways, F1 brings the physical page, compares and chooses. The answer stays until the next read. A fill
// takes one cycle and may come at any time; a read in that very cycle still sees the old contents, so a miss of such a
// read is not believed: it is reported as "try again"; a probe sees such a fill. So no line is in two ways. Invalid
// ways are filled first, else a way at random.
module icache
  import config_pkg::*;
  import core_pkg::*;
  import line_pkg::*;
  import fetch_pkg::*;
  import icache_pkg::*;
(
  input  logic        clk_i,
  input  logic        rst_ni,
  input  logic        invalidate_i,    // all lines; a read in this cycle misses
  // F0
  input  logic        read_i,
  input  logic [11-OffsetBits:0] read_block_i [2],  // in its page: one of two, chosen late by read_other_i
  input  logic        read_other_i,
  // F1: the block read last
  input  logic        use_i,           // it is wanted: a miss asks for its line, but in a cycle with drop_i
  input  logic [AddrBits-13:0] page_i, // its physical page
  input  logic        drop_i,          // what was asked for is not wanted any more, nor is the block read last
  output logic        hit_o,
  output logic        error_o,         // miss, and the bus has answered with an error: it cannot be fetched
  output parcels_t    parcels_o,
  output logic        pending_o,       // miss, and asked for: no use trying before a fill
  output logic        fill_o,
  // outer memory
  output line_req_t   req_o,
  input  logic        ready_i,
  input  line_resp_t  resp_i
);
  localparam int unsigned BlockIdxBits = $clog2(LineBlocks);
  localparam int unsigned WayBits = IcWays > 1 ? $clog2(IcWays) : 1;
  typedef logic [WayBits-1:0] way_t;

  line_addr_t line;
  logic [PageLineBits-1:0] read_line, line_q;  // in the page
  set_t read_set, choice [2];
  logic [BlockIdxBits-1:0] read_bank, bank_q;
  logic [11-OffsetBits:0] read_block;
  assign read_block = read_block_i[read_other_i];
  assign read_line = read_block[BlockIdxBits +: PageLineBits];
  assign read_bank = read_block[BlockIdxBits-1:0];
  assign read_set = read_line[SetBits-1:0];
  for (genvar i = 0; i < 2; i++) begin : gen_choice
    assign choice[i] = read_block_i[i][BlockIdxBits +: SetBits];
  end

  // ---- fills and probes ----
  logic fill_write, probe, probe_hit;
  line_addr_t fill_line, probe_line;
  logic [LineBits-1:0] fill_data;
  way_t fill_way;
  set_t fill_set, probe_set;
  assign fill_set = fill_line[SetBits-1:0];
  assign probe_set = probe_line[SetBits-1:0];

  // ---- valid bits ----
  logic [IcSets-1:0] valid_q [IcWays];
  logic [IcWays-1:0] read_valid_q, probe_valid_q;
  always_ff @(posedge clk_i) begin
    for (int unsigned w = 0; w < IcWays; w++) begin
      if (!rst_ni || invalidate_i) valid_q[w] <= '0;
      else if (fill_write && fill_way == way_t'(w)) valid_q[w][fill_set] <= 1'b1;
      if (read_i) read_valid_q[w] <= (read_other_i ? valid_q[w][choice[1]] : valid_q[w][choice[0]]) && !invalidate_i;
      if (probe) probe_valid_q[w] <= valid_q[w][probe_set];
    end
  end

  // ---- way to fill ----
  logic [6:0] random_q;
  always_ff @(posedge clk_i) begin
    if (!rst_ni) random_q <= 7'd1;
    else if (fill_write) random_q <= {random_q[5:0], random_q[6] ^ random_q[5]};
  end
  always_comb begin
    logic found;
    found = 1'b0;
    fill_way = IcWays > 1 ? way_t'(32'(random_q) % IcWays) : '0;
    if (fill_write) begin
      for (int unsigned w = 0; w < IcWays; w++) begin
        if (!found && !valid_q[w][fill_set]) begin
          found = 1'b1;
          fill_way = way_t'(w);
        end
      end
    end
  end

  // ---- arrays ----
  logic [IcWays-1:0] hit, probe_hits;
  parcels_t data [IcWays][LineBlocks], array_parcels;
  tag_t tag_wanted, probe_wanted_q;
  logic probe_filled_q;  // in the cycle in which the arrays were read
  always_ff @(posedge clk_i) begin
    if (read_i) begin
      line_q <= read_line;
      bank_q <= read_bank;
    end
    if (probe) probe_wanted_q <= probe_line[AddrBits-7:SetBits];
    probe_filled_q <= fill_write && fill_line == probe_line;
  end
  assign line = {page_i, line_q};
  assign tag_wanted = line[AddrBits-7:SetBits];

  for (genvar w = 0; w < IcWays; w++) begin : gen_way
    tag_t tag_q, probe_tag_q;
    logic write;
    assign write = fill_write && fill_way == way_t'(w);
    sync_ram #(.Words(IcSets), .Width($bits(tag_t)), .Reads(2)) u_tags (
      .clk_i, .rst_ni, .read_i({probe, read_i}), .read_addr_i({probe_set, read_set}), .data_o({probe_tag_q, tag_q}),
      .write_i(write), .write_addr_i(fill_set), .write_data_i(fill_line[AddrBits-7:SetBits])
    );
    assign hit[w] = read_valid_q[w] && tag_q == tag_wanted;
    assign probe_hits[w] = probe_valid_q[w] && probe_tag_q == probe_wanted_q;

    for (genvar b = 0; b < LineBlocks; b++) begin : gen_bank
      sync_ram #(.Words(IcSets), .Width($bits(parcels_t))) u_data (
        .clk_i, .rst_ni, .read_i(read_i && read_bank == BlockIdxBits'(b)), .read_addr_i(read_set), .data_o(data[w][b]),
        .write_i(write), .write_addr_i(fill_set), .write_data_i(fill_data[b * 16 * FetchWidth +: 16 * FetchWidth])
      );
    end
  end

  logic error;
  assign error_o = error && !hit_o;
  assign probe_hit = |probe_hits || probe_filled_q;
  always_comb begin
    array_parcels = data[0][bank_q];
    for (int unsigned w = 1; w < IcWays; w++) if (hit[w]) array_parcels = data[w][bank_q];
  end

  if (IdealSockets != 0) begin : gen_ideal
    ideal_l1i u_ideal (
      .use_i, .addr_i({{64 - AddrBits{1'b0}}, line, bank_q, OffsetBits'(0)}),
      .hit_i(|hit), .parcels_i(array_parcels), .hit_o, .parcels_o
    );
  end else begin : gen_arrays
    assign hit_o = |hit;
    assign parcels_o = array_parcels;
  end

  // ---- misses ----
  logic read_with_fill_q;
  always_ff @(posedge clk_i) if (read_i) read_with_fill_q <= fill_write;

  icache_miss u_miss (
    .clk_i, .rst_ni, .invalidate_i,
    .miss_i(use_i && !hit_o && !error_o && !read_with_fill_q), .drop_i, .error_o(error), .hit_i(use_i && hit_o),
    .line_i(line), .pending_o, .probe_o(probe), .probe_line_o(probe_line), .probe_hit_i(probe_hit),
    .fill_o, .fill_write_o(fill_write), .fill_line_o(fill_line), .fill_data_o(fill_data),
    .req_o, .ready_i, .resp_i
  );

  `include "assert.svh"
  `ASSERT(OneHit, !use_i || 32'($countones(hit)) <= 1)
endmodule
