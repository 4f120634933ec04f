// Translation after a miss of the L1 TLBs: the L2 TLB and the walker (mmu), and hardware A/D updates (ad_update).
//
//   fetch ----+
//   data -----+--> mmu --table_o.read--> data cache
//             |     ^ |
//   ad_update +-----+ +--> walk_resp_o: to both L1 TLBs
//      ^   +--table_o.swap---> data cache
//      +-- page fault of the oldest instruction <--> check_o
//
// What TLBs and walks drop, tlb_flush_o, comes from a CSR write or sfence.vma (flush_i, a register) or from ad_update
// when bits are set (everything), each in the cycle of the squash that follows: satp and PMP registers have their new
// values already, and what was looked up or walked with the old ones is dropped. Latencies: mmu, ad_update. Invariant:
// a table entry is written only while no committed store is left (lsu asserts it).
module translation
  import config_pkg::*;
  import core_pkg::*;
  import mmu_pkg::*;
  import commit_pkg::*;
(
  input  logic         clk_i,
  input  logic         rst_ni,
  input  vm_t          vm_i,
  input  pmp_region_t  pmp_i [PmpRegions],
  input  region_t      region_i [Regions],
  input  tlb_flush_t   flush_i,
  output tlb_flush_t   tlb_flush_o,
  // misses of the L1 TLBs
  input  walk_req_t    fetch_req_i,
  output logic         fetch_ready_o,
  input  walk_req_t    data_req_i,
  output logic         data_ready_o,
  output walk_resp_t   resp_o,
  // the oldest instruction
  input  page_fault_t  fault_i,
  input  logic         amo_i,             // is an AMO, LR or SC
  input  logic         interrupt_i,       // is interrupted
  input  logic         left_i,            // leaves the ROB, or traps
  output fault_check_t check_o,
  // table entries, through the data cache
  output table_access_t table_o,
  input  table_answer_t table_i,
  input  logic         stores_gone_i      // no committed store is left
);
  walk_req_t update_req;
  logic update_ready, update_flush;
  table_leaf_t update_resp;
  assign tlb_flush_o = update_flush ? FlushAll : flush_i;

  mmu u_mmu (
    .clk_i, .rst_ni, .vm_i, .pmp_i, .region_i, .flush_i(tlb_flush_o),
    .fetch_req_i, .fetch_ready_o, .data_req_i, .data_ready_o, .update_req_i(update_req), .update_ready_o(update_ready),
    .resp_o, .update_resp_o(update_resp),
    .table_read_o(table_o.read), .table_data_i(table_i.read)
  );

  ad_update u_ad_update (
    .clk_i, .rst_ni, .vm_i, .pmp_i, .region_i,
    .fault_i(fault_i.valid), .cause_i(fault_i.cause), .tval_i(fault_i.tval), .amo_i, .interrupt_i, .left_i, .check_o,
    .walk_req_o(update_req), .walk_ready_i(update_ready), .walk_resp_i(update_resp),
    .stores_gone_i, .swap_o(table_o.swap), .swapped_i(table_i.swapped),
    .tlb_flush_o(update_flush)
  );
endmodule
