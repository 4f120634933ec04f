// What happens on a miss of an L1 TLB: a look into the L2 TLB, else a walk of the page table.
//
//   fetch --+
//           +--> one request --> L2 TLB --miss--> walker --> end of the walk, sent to both
//   data ---+
//
// A request is taken in a cycle with ready, data before fetch, one at a time; it may be withdrawn before. An L2 hit is
// answered two cycles later. Before both goes ad_update, which is given the leaf's entry by a walk (update_resp_o);
// nothing of it is filled. What protection grants and which regions of the memory map are met goes with the end
// (page_rights). With flush_i.walks, what was asked for before or in that cycle gets no answer after it, and nothing of
// it is filled, in that cycle neither: the ASID may have changed at its beginning, and never does otherwise.
`include "assert.svh"

module mmu
  import config_pkg::*;
  import core_pkg::*;
  import mmu_pkg::*;
(
  input  logic        clk_i,
  input  logic        rst_ni,
  input  vm_t         vm_i,
  input  tlb_flush_t  flush_i,
  input  pmp_region_t pmp_i [PmpRegions],
  input  region_t region_i [Regions],
  input  walk_req_t   fetch_req_i,
  output logic        fetch_ready_o,
  input  walk_req_t   data_req_i,
  output logic        data_ready_o,
  input  walk_req_t   update_req_i,
  output logic        update_ready_o,
  output walk_resp_t  resp_o,
  output table_leaf_t update_resp_o,
  // table entries through the data cache: held until done
  output table_read_t table_read_o,
  input  table_data_t table_data_i
);
  // ---- the request at work ----
  logic busy_q, look_q, fetch_q, update_q, free, take, walk_idle;
  vpn_t vpn_q, take_vpn;
  assign free = !busy_q && walk_idle && !flush_i.walks;
  assign update_ready_o = free;
  assign data_ready_o = free && !update_req_i.valid;
  assign fetch_ready_o = free && !update_req_i.valid && !data_req_i.valid;
  assign take = free && (update_req_i.valid || data_req_i.valid || fetch_req_i.valid);
  assign take_vpn = update_req_i.valid ? update_req_i.vpn : data_req_i.valid ? data_req_i.vpn : fetch_req_i.vpn;

  // ---- L2 TLB ----
  logic l2_hit, walk_done, walk_page_fault, walk_access_fault;
  leaf_t l2_leaf, walk_leaf;
  if (L2TlbEntries > 0) begin : gen_l2
    l2_tlb #(.Entries(L2TlbEntries)) u_l2_tlb (
      .clk_i, .rst_ni, .flush_i, .asid_i(vm_i.asid),
      .read_i(take), .read_vpn_i(take_vpn), .hit_o(l2_hit), .leaf_o(l2_leaf),
      .write_i(walk_done && !walk_page_fault && !walk_access_fault && walk_leaf.level == 2'd0 && !update_q),
      .write_vpn_i(vpn_q), .write_leaf_i(walk_leaf)
    );
  end else begin : gen_no_l2
    assign l2_hit = 1'b0;
    assign l2_leaf = '0;
  end

  // ---- walk ----
  ptw u_ptw (
    .clk_i, .rst_ni, .flush_i(flush_i.walks), .root_i(vm_i.root), .pmp_i, .region_i,
    .start_i(look_q && (!l2_hit || update_q) && !flush_i.walks), .vpn_i(vpn_q), .idle_o(walk_idle),
    .done_o(walk_done), .page_fault_o(walk_page_fault), .access_fault_o(walk_access_fault), .leaf_o(walk_leaf),
    .read_o(table_read_o), .data_i(table_data_i)
  );

  // ---- end ----
  logic found;
  leaf_t end_leaf;
  walk_resp_t resp_q;
  assign found = look_q && l2_hit && !update_q;
  page_rights u_page_rights (
    .pmp_i, .region_i, .valid_i(found || walk_done), .vpn_i(vpn_q), .leaf_i(look_q ? l2_leaf : walk_leaf),
    .leaf_o(end_leaf)
  );
  always_ff @(posedge clk_i) begin
    if (!rst_ni || flush_i.walks) begin
      busy_q <= 1'b0;
      look_q <= 1'b0;
      resp_q.valid <= 1'b0;
    end else begin
      look_q <= take;
      if (take) busy_q <= 1'b1;
      else if (found || walk_done) busy_q <= 1'b0;
      resp_q.valid <= found || (walk_done && !update_q);
    end
    if (take) begin
      update_q <= update_req_i.valid;
      fetch_q <= !data_req_i.valid;
      vpn_q <= take_vpn;
    end
    if (found || walk_done) begin
      resp_q.fetch <= fetch_q;
      resp_q.vpn <= vpn_q;
      resp_q.page_fault <= walk_done && walk_page_fault;
      resp_q.access_fault <= walk_done && walk_access_fault;
      resp_q.leaf <= end_leaf;
    end
  end
  assign resp_o = resp_q;

  // The walker's address is that of the entry that it read last.
  word_t entry_q;
  always_ff @(posedge clk_i) if (table_data_i.done) entry_q <= table_data_i.data;
  assign update_resp_o = '{valid: walk_done && update_q, page_fault: walk_page_fault, access_fault: walk_access_fault,
                           leaf: walk_leaf, addr: table_read_o.addr, entry: entry_q};

  `ASSERT(AsrtOneEnd, !(found && walk_done))
  `ASSERT(AsrtDoneAsked, !table_data_i.done || table_read_o.valid)
endmodule
