// Second-level TLB: direct mapped, 4 KiB pages only, for both first-level TLBs.
//
//   index = low bits of the page number, its upper HashBits exclusive-or the lowest of the ASID: the same page of
//   address
//           spaces with ASIDs that follow one another does not share an entry
//
// A clocked read: the answer comes in the cycle after read_i and stays until the next read. The user reads and writes
// in different cycles. The entries' valid bits are flip-flops, so that a flush takes one cycle; the rest is memory.
//
// A flush by address space clears no entry: it begins a new era of the ASIDs with the same low EraBits, and entries
// that are not global count only in the era that they were written in. A flush by page clears what may hold it without
// a look at what it is. Both may drop more than they must, which is legal (privileged manual, sfence.vma).
module l2_tlb
  import config_pkg::AsidBits;
  import core_pkg::*;
  import mmu_pkg::*;
#(
  parameter int unsigned Entries = 128   // a power of two, 2 at least
) (
  input  logic  clk_i,
  input  logic  rst_ni,
  input  tlb_flush_t flush_i,            // of entries: wins over a write
  input  asid_t asid_i,                  // of reads and writes
  input  logic  read_i,
  input  vpn_t  read_vpn_i,
  output logic  hit_o,
  output leaf_t leaf_o,
  input  logic  write_i,
  input  vpn_t  write_vpn_i,
  input  leaf_t write_leaf_i
);
  if (Entries < 2) begin : gen_too_small
    $error("mmu.l2_entries must be 0 or at least 2");
  end
  localparam int unsigned IdxBits = $clog2(Entries);
  // valid bits go in words: simulation copies no long vector
  localparam int unsigned WordBits = Entries < 64 ? Entries : 64;
  localparam int unsigned Words = Entries / WordBits;
  localparam int unsigned BitBits = $clog2(WordBits);
  localparam int unsigned WordIdxBits = Words > 1 ? $clog2(Words) : 1;
  localparam int unsigned HashMost = IdxBits < 2 ? IdxBits : 2;
  localparam int unsigned HashBits = AsidBits < HashMost ? AsidBits : HashMost;
  localparam int unsigned EraBits = AsidBits < 4 ? AsidBits : 4;
  typedef logic [IdxBits-1:0] idx_t;
  typedef logic [26-IdxBits:0] tag_t;
  typedef logic [BitBits-1:0] bit_t;
  typedef logic [WordIdxBits-1:0] word_idx_t;
  typedef logic [HashBits-1:0] hash_t;
  typedef logic [5:0] era_t;
  typedef struct packed {
    ppn_t ppn;
    perms_t perms;
    logic g;
    asid_t asid;
    era_t era;
  } entry_t;

  function automatic word_idx_t word_of(input idx_t idx);
    word_of = word_idx_t'(32'(idx) / WordBits);
  endfunction
  /* verilator lint_off UNUSEDSIGNAL */  // takes its part of a page number
  function automatic idx_t idx_of(input vpn_t vpn, input hash_t hash);
  /* verilator lint_on UNUSEDSIGNAL */
    idx_of = vpn[IdxBits-1:0] ^ (idx_t'(hash) << (IdxBits - HashBits));
  endfunction

  logic [WordBits-1:0] valid_q [Words];
  era_t era_q [1 << EraBits];

  idx_t read_idx, write_idx;
  logic write;
  era_t era;
  assign read_idx = idx_of(read_vpn_i, asid_i[HashBits-1:0]);
  assign write_idx = idx_of(write_vpn_i, asid_i[HashBits-1:0]);
  assign write = write_i && !flush_i.entries;
  assign era = era_q[asid_i[EraBits-1:0]];

  // ---- what a flush drops ----
  logic drops_all, drops_space;
  era_t flush_era;
  assign flush_era = era_q[flush_i.asid[EraBits-1:0]];
  assign drops_space = flush_i.entries && flush_i.by_asid && !flush_i.by_page;
  assign drops_all = flush_i.entries && !flush_i.by_page && (!flush_i.by_asid || flush_era == '1);  // eras begin again

  entry_t write_entry, read_q;
  tag_t read_tag_q, wanted_q;
  assign write_entry = '{ppn: write_leaf_i.ppn, perms: write_leaf_i.perms, g: write_leaf_i.g, asid: asid_i, era: era};
  sync_ram #(.Words(Entries), .Width($bits(tag_t)), .Meet(1'b0)) u_tags (
    .clk_i, .rst_ni, .read_i, .read_addr_i(read_idx), .data_o(read_tag_q),
    .write_i(write), .write_addr_i(write_idx), .write_data_i(write_vpn_i[26:IdxBits])
  );
  sync_ram #(.Words(Entries), .Width($bits(entry_t)), .Meet(1'b0)) u_entries (
    .clk_i, .rst_ni, .read_i, .read_addr_i(read_idx), .data_o(read_q),
    .write_i(write), .write_addr_i(write_idx), .write_data_i(write_entry)
  );

  logic read_valid_q;
  asid_t wanted_asid_q;
  era_t wanted_era_q;
  always_ff @(posedge clk_i) begin
    if (read_i) begin
      read_valid_q <= valid_q[word_of(read_idx)][bit_t'(read_idx)];
      wanted_q <= read_vpn_i[26:IdxBits];
      wanted_asid_q <= asid_i;
      wanted_era_q <= era;
    end
    if (!rst_ni || drops_all) begin
      for (int unsigned w = 0; w < Words; w++) valid_q[w] <= '0;
    end else begin
      if (write) valid_q[word_of(write_idx)][bit_t'(write_idx)] <= 1'b1;
      if (flush_i.entries && flush_i.by_page)
        for (int unsigned h = 0; h < 1 << HashBits; h++)
          if (!flush_i.by_asid || hash_t'(h) == flush_i.asid[HashBits-1:0])
            valid_q[word_of(idx_of(flush_i.vpn, hash_t'(h)))][bit_t'(idx_of(flush_i.vpn, hash_t'(h)))] <= 1'b0;
    end
    if (!rst_ni) for (int unsigned s = 0; s < 1 << EraBits; s++) era_q[s] <= '0;
    else if (drops_space) era_q[flush_i.asid[EraBits-1:0]] <= flush_era + 1'b1;
  end

  // A global page is found by the ASIDs that share its index only: those that agree in the bits of the hash.
  logic same_index, same_space;
  assign same_index = read_q.asid[HashBits-1:0] == wanted_asid_q[HashBits-1:0];
  assign same_space = read_q.asid == wanted_asid_q && read_q.era == wanted_era_q;
  assign hit_o = read_valid_q && read_tag_q == wanted_q && (read_q.g ? same_index : same_space);
  assign leaf_o = '{regions: '0, granted: '0, g: read_q.g, level: 2'd0, ppn: read_q.ppn, perms: read_q.perms};
endmodule
