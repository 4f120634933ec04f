// Address translation and protection of fetch: the instruction TLB, and the walk that F0 waits for.
//
// Combinational in F1: physical page of its block, or a miss, or a fault. After a miss the block is asked for (ask_i)
// and F0 waits until the walk ends, then tries again; the end has filled the TLB, or left its fault here for that try.
// No other unit sees that fault: it goes with the next change of path. Without translation the TLB is not looked at.
module fetch_translate
  import config_pkg::*;
  import core_pkg::*;
  import mmu_pkg::*;
  import fetch_pkg::*;
(
  input  logic        clk_i,
  input  logic        rst_ni,
  input  vm_t         vm_i,
  input  pmp_region_t pmp_i [PmpRegions],
  input  region_t region_i [Regions],
  input  tlb_flush_t  flush_i,
  // F1
  input  logic        valid_i,
  input  block_addr_t block_i,
  output ppn_t        page_o,
  output logic        miss_o,            // else the two below are true, or the block may be fetched
  output logic        page_fault_o,
  output logic        access_fault_o,
  // F0 waits for the page of F1's block
  input  logic        ask_i,
  input  logic        drop_i,            // what F0 waits for is not wanted any more
  output logic        waiting_o,
  // mmu
  output walk_req_t   walk_req_o,
  input  logic        walk_ready_i,
  input  walk_resp_t  walk_resp_i
);
  // want: to be taken by the mmu; faults of the page that F0 waited for
  logic want_q, wait_q, page_fault_q, access_fault_q;
  vpn_t vpn_q, vpn;
  assign vpn = block_i[38-OffsetBits:12-OffsetBits];

  // ---- instruction TLB ----
  logic translate, look, hit, canon, ended;
  logic [0:0] held, tlb_hit;
  leaf_t held_leaf [1], tlb_leaf [1];
  vpn_t look_vpn [1];
  assign translate = translates(vm_i, vm_i.fetch_priv);
  assign canon = canonical({block_i, OffsetBits'(0)});
  assign look = valid_i && translate && canon;
  assign look_vpn[0] = vpn;
  assign hit = tlb_hit[0];
  assign ended = walk_resp_i.valid && walk_resp_i.fetch;

  tlb #(.Entries(ItlbEntries), .Ports(1)) u_tlb (
    .clk_i, .rst_ni, .flush_i, .asid_i(vm_i.asid),
    .look_valid_i(look), .look_vpn_i(look_vpn), .hit_o(held), .leaf_o(held_leaf),
    .fill_valid_i(ended && !walk_resp_i.page_fault && !walk_resp_i.access_fault && !flush_i.walks),
    .fill_vpn_i(walk_resp_i.vpn), .fill_leaf_i(walk_resp_i.leaf)
  );

  if (IdealSockets != 0) begin : gen_ideal
    ideal_tlb #(.Ports(1)) u_ideal (
      .vm_i, .pmp_i, .region_i, .look_valid_i(look), .look_vpn_i(look_vpn), .hit_i(held), .leaf_i(held_leaf),
      .hit_o(tlb_hit), .leaf_o(tlb_leaf)
    );
  end else begin : gen_held
    assign tlb_hit = held;
    assign tlb_leaf = held_leaf;
  end

  // ---- what may be fetched ----
  word_t address;
  rights_t bare;
  logic walk_fault, permitted;
  assign walk_fault = page_fault_q || access_fault_q;
  assign page_o = translate ? leaf_ppn(tlb_leaf[0], vpn) : block_i[55-OffsetBits:12-OffsetBits];
  assign address = {block_i, OffsetBits'(0)};

  pmp_check u_pmp_check (
    .pmp_i, .look_i(!translate), .ppn_i(block_i[55-OffsetBits:12-OffsetBits]), .priv_i(vm_i.fetch_priv), .rights_o(bare)
  );
  assign permitted = grants(translate ? tlb_leaf[0].granted : bare, ACCESS_FETCH);

  /* verilator lint_off UNUSEDSIGNAL */  // what may be executed is fetched by lines
  attributes_t attributes, attributes_bare, attributes_leaf;
  /* verilator lint_on UNUSEDSIGNAL */
  region_check u_region_check (.region_i, .address_i(address), .attributes_o(attributes_bare));
  leaf_region_check u_leaf_region_check (.region_i, .offset_i(address[29:0]), .leaf_i(tlb_leaf[0]),
                                         .attributes_o(attributes_leaf));
  assign attributes = translate ? attributes_leaf : attributes_bare;

  always_comb begin
    miss_o = 1'b0;
    page_fault_o = 1'b0;
    access_fault_o = 1'b0;
    if (translate && !canon) page_fault_o = 1'b1;
    else if (translate && walk_fault) begin
      page_fault_o = page_fault_q;
      access_fault_o = access_fault_q;
    end else if (translate && !hit) miss_o = 1'b1;
    else if (translate && leaf_faults(tlb_leaf[0].perms, ACCESS_FETCH, vm_i.fetch_priv, 1'b0, 1'b0))
      page_fault_o = 1'b1;
    else access_fault_o = !permitted || !attributes.x;
  end

  // ---- the walk ----
  logic ours;
  assign ours = ended && wait_q && walk_resp_i.vpn == vpn_q;
  always_ff @(posedge clk_i) begin
    if (!rst_ni || flush_i.walks || drop_i) begin
      want_q <= 1'b0;
      wait_q <= 1'b0;
      page_fault_q <= 1'b0;
      access_fault_q <= 1'b0;
    end else if (ask_i) begin
      want_q <= 1'b1;
      wait_q <= 1'b1;
      page_fault_q <= 1'b0;
      access_fault_q <= 1'b0;
    end else if (ours) begin
      want_q <= 1'b0;
      wait_q <= 1'b0;
      page_fault_q <= walk_resp_i.page_fault;
      access_fault_q <= walk_resp_i.access_fault;
    end else if (walk_ready_i) begin
      want_q <= 1'b0;
    end
    if (ask_i) vpn_q <= vpn;
  end
  assign waiting_o = wait_q;
  assign walk_req_o = '{valid: want_q, vpn: vpn_q};
endmodule
