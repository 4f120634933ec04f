// Second-level TLB: direct mapped, 4 KiB pages only, for both first-level TLBs.
//
// A clocked read: the answer comes in the cycle after read_i and stays until the next read. The user reads and writes in
// different cycles. The entries' valid bits are flip-flops, so that a flush takes one cycle; the rest is memory.
module l2_tlb
  import core_pkg::*;
  import mmu_pkg::*;
#(
  parameter int unsigned Entries = 128   // a power of two, 2 at least
) (
  input  logic  clk_i,
  input  logic  rst_ni,
  input  logic  flush_i,                 // wins over a write
  input  logic  read_i,
  input  vpn_t  read_vpn_i,
  output logic  hit_o,
  output leaf_t leaf_o,
  input  logic  write_i,
  input  vpn_t  write_vpn_i,
  /* verilator lint_off UNUSEDSIGNAL */  // its level is 0
  input  leaf_t write_leaf_i
  /* verilator lint_on UNUSEDSIGNAL */
);
  if (Entries < 2) begin : gen_too_small
    $error("mmu.l2_entries must be 0 or at least 2");
  end
  localparam int unsigned IdxBits = $clog2(Entries);
  localparam int unsigned WordBits = Entries < 64 ? Entries : 64;  // valid bits go in words: simulation copies no long vector
  localparam int unsigned Words = Entries / WordBits;
  localparam int unsigned BitBits = $clog2(WordBits);
  localparam int unsigned WordIdxBits = Words > 1 ? $clog2(Words) : 1;
  typedef logic [IdxBits-1:0] idx_t;
  typedef logic [26-IdxBits:0] tag_t;
  typedef logic [BitBits-1:0] bit_t;
  typedef logic [WordIdxBits-1:0] word_idx_t;
  typedef struct packed {
    ppn_t ppn;
    perms_t perms;
  } entry_t;

  function automatic word_idx_t word_of(input idx_t idx);
    word_of = word_idx_t'(32'(idx) / WordBits);
  endfunction

  tag_t mem_tag [Entries];
  entry_t mem [Entries];
  logic [WordBits-1:0] valid_q [Words];

  idx_t read_idx, write_idx;
  assign read_idx = read_vpn_i[IdxBits-1:0];
  assign write_idx = write_vpn_i[IdxBits-1:0];

  logic read_valid_q;
  tag_t read_tag_q, wanted_q;
  entry_t read_q;
  always_ff @(posedge clk_i) begin
    if (read_i) begin
      read_tag_q <= mem_tag[read_idx];
      read_q <= mem[read_idx];
      read_valid_q <= valid_q[word_of(read_idx)][bit_t'(read_idx)];
      wanted_q <= read_vpn_i[26:IdxBits];
    end
    if (write_i) begin
      mem_tag[write_idx] <= write_vpn_i[26:IdxBits];
      mem[write_idx] <= '{ppn: write_leaf_i.ppn, perms: write_leaf_i.perms};
    end
    if (!rst_ni || flush_i) for (int unsigned w = 0; w < Words; w++) valid_q[w] <= '0;
    else if (write_i) valid_q[word_of(write_idx)][bit_t'(write_idx)] <= 1'b1;
  end

  assign hit_o = read_valid_q && read_tag_q == wanted_q;
  assign leaf_o = '{level: 2'd0, ppn: read_q.ppn, perms: read_q.perms};
endmodule
