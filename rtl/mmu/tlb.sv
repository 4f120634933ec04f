// First-level TLB: fully associative, pages of all three sizes, Ports lookups in a cycle.
//
// An entry answers in the address space that it was filled in, or in all of them if its leaf is global.
//
// A lookup answers in the same cycle. A fill takes effect at the end of the cycle; whatever it overlaps goes (a page
// that software remaps in another size), so never more than one entry covers an address. A flush of entries wins
// over a fill. It drops exactly what it names.
// Replacement: an invalid entry, else the first that has not been used since all had been (not recently used).
// The lookups are switched off by look_valid_i: without translation they cost nothing in simulation.
`include "assert.svh"

module tlb
  import config_pkg::AsidBits;
  import core_pkg::*;
  import mmu_pkg::*;
#(
  parameter int unsigned Entries = 16,
  parameter int unsigned Ports = 1
) (
  input  logic  clk_i,
  input  logic  rst_ni,
  input  tlb_flush_t flush_i,
  input  asid_t asid_i,                  // of lookups and fills
  input  logic [Ports-1:0] look_valid_i,
  input  vpn_t  look_vpn_i [Ports],
  output logic [Ports-1:0] hit_o,
  output leaf_t leaf_o [Ports],          // of the entry that hits, else 0
  input  logic  fill_valid_i,
  input  vpn_t  fill_vpn_i,
  input  leaf_t fill_leaf_i
);
  localparam int unsigned IdxBits = Entries > 1 ? $clog2(Entries) : 1;
  typedef logic [IdxBits-1:0] idx_t;
  typedef logic [Entries-1:0] set_t;

  // What an address is compared with: its page number in the bits that the page's size leaves, and the address space
  // but where it is global.
  typedef struct packed {
    asid_t asid;
    vpn_t vpn;
  } place_t;
  typedef struct packed {
    place_t place;
    place_t mask;
  } key_t;

  function automatic place_t mask_of(input logic global_page, input logic [1:0] level);
    mask_of = '{asid: {AsidBits{!global_page}}, vpn: {9'h1ff, {9{level < 2'd2}}, {9{level == 2'd0}}}};
  endfunction

  set_t valid_q, used_q;
  key_t key [Entries];
  leaf_t leaf [Entries];

  // ---- lookup ----
  set_t hits [Ports];
  always_comb begin
    for (int unsigned p = 0; p < Ports; p++) begin
      hits[p] = '0;
      leaf_o[p] = '0;
      if (look_valid_i[p]) begin
        for (int unsigned e = 0; e < Entries; e++) begin
          hits[p][e] = valid_q[e] && (({asid_i, look_vpn_i[p]} ^ key[e].place) & key[e].mask) == '0;
          leaf_o[p] |= leaf[e] & {$bits(leaf_t){hits[p][e]}};  // one at most: no order among them
        end
      end
      hit_o[p] = hits[p] != '0;
    end
  end

  // ---- where a fill goes, and what it throws out ----
  set_t overlap;
  idx_t fill_idx;
  place_t fill_place, fill_mask;
  assign fill_place = '{asid: asid_i, vpn: fill_vpn_i};
  assign fill_mask = mask_of(fill_leaf_i.g, fill_leaf_i.level);
  always_comb begin
    overlap = '0;
    if (fill_valid_i)
      for (int unsigned e = 0; e < Entries; e++)
        overlap[e] = valid_q[e] && ((fill_place ^ key[e].place) & key[e].mask & fill_mask) == '0;
  end
  // What goes is free as well. The first that is not used is known without the fill.
  idx_t free_idx [1], unused_idx [1];
  logic free, unused;
  find_first #(.Width(Entries)) u_free (.set_i(~valid_q | overlap), .valid_o(free), .idx_o(free_idx));
  find_first #(.Width(Entries)) u_unused (.set_i(~used_q), .valid_o(unused), .idx_o(unused_idx));
  assign fill_idx = free ? free_idx[0] : unused_idx[0];

  // ---- what a flush drops ----
  set_t dropped;
  always_comb begin
    dropped = '0;
    if (flush_i.entries)
      for (int unsigned e = 0; e < Entries; e++)
        dropped[e] = (!flush_i.by_asid || (key[e].mask.asid != '0 && flush_i.asid == key[e].place.asid)) &&
                     (!flush_i.by_page || ((flush_i.vpn ^ key[e].place.vpn) & key[e].mask.vpn) == '0);
  end

  // ---- use ----
  set_t touched, used;
  always_comb begin
    touched = '0;
    for (int unsigned p = 0; p < Ports; p++) touched |= hits[p];
    if (fill_valid_i) touched[fill_idx] = 1'b1;
    used = used_q | touched;
    if (&used) used = touched;
  end

  always_ff @(posedge clk_i) begin
    if (!rst_ni) begin
      valid_q <= '0;
      used_q <= '0;
    end else begin
      used_q <= used;
      if (flush_i.entries) begin
        valid_q <= valid_q & ~dropped;
      end else if (fill_valid_i) begin
        valid_q <= valid_q & ~overlap;
        valid_q[fill_idx] <= 1'b1;
      end
    end
    if (fill_valid_i && !flush_i.entries) begin
      key[fill_idx] <= '{place: fill_place, mask: fill_mask};
      leaf[fill_idx] <= fill_leaf_i;
    end
  end

  for (genvar p = 0; p < Ports; p++) begin : gen_assert
    set_t mine;
    assign mine = hits[p];
    `ASSERT(AsrtOneHit, (mine & (mine - 1'b1)) == '0)
  end
endmodule
