// Front end with flat ports for a C++ bench. Every input but the queue's read port is registered; decode takes up to
// limit_i of the instructions on offer. Protection: region 0 denies execution of one page, region 1 allows everything.
module frontend_tb
  import config_pkg::*;
  import core_pkg::*;
  import line_pkg::*;
  import mmu_pkg::*;
(
  input  logic        clk_i,
  input  logic        rst_ni,
  output logic [31:0] core_width_o,
  output logic [31:0] fetch_width_o,
  output logic [31:0] ftq_entries_o,
  // redirect
  input  logic        redirect_i,
  input  logic [63:0] redirect_pc_i,
  input  logic [7:0]  redirect_ftq_i,
  input  logic        redirect_branch_i,
  input  logic        redirect_taken_i,
  input  logic [5:0]  redirect_offset_i,
  input  logic        redirect_invalidate_i,
  output logic        redirect_o,          // the registered one: seen by the front end in this cycle
  // decode
  input  logic [3:0]  limit_i,
  output logic [7:0]  taken_o,             // lanes taken in this cycle
  output logic [7:0]  offered_o,
  output logic [63:0] pc_o [8],
  output logic [31:0] insn_o [8],
  output logic [7:0]  ftq_o [8],
  output logic [7:0]  rvc_o,
  output logic [7:0]  pred_taken_o,
  output logic [7:0]  fault_o,
  output logic [7:0]  dr_l1_o,
  output logic [7:0]  dr_tlb_o,
  // backend
  input  logic [7:0]  ftq_read_idx_i,
  output logic [63:0] ftq_read_next_pc_o,
  input  logic        commit_i,
  input  logic [7:0]  commit_ftq_i,
  // translation
  input  logic        sv39_i,
  input  logic [1:0]  priv_i,
  input  logic [43:0] denied_i,
  input  logic        tlb_flush_i,
  input  logic        space_i,        // another address space: walks are dropped
  input  logic [7:0]  asid_i,
  output logic        walk_o,
  output logic [26:0] walk_vpn_o,
  input  logic        walk_ready_i,
  output logic        walk_taken_o,
  input  logic        end_i,
  input  logic        end_fetch_i,
  input  logic [26:0] end_vpn_i,
  input  logic        end_page_fault_i,
  input  logic        end_access_fault_i,
  input  logic [1:0]  end_level_i,
  input  logic [43:0] end_ppn_i,
  input  logic [5:0]  end_perms_i,         // D A U X W R
  // memory
  output logic        req_o,
  output logic [4:0]  req_id_o,
  output logic [63:0] req_addr_o,
  input  logic        ready_i,
  output logic        ready_o,             // registered
  input  logic        resp_i,
  input  logic [4:0]  resp_id_i,
  input  logic [511:0] resp_data_i,
  output logic        fetch_o,
  output logic [63:0] fetch_pc_o
);
  redirect_t redirect_q;
  line_resp_t resp_q;
  line_req_t req;
  fetch_insn_t insn [CoreWidth];
  logic [CoreWidth-1:0] valid, take;
  logic [3:0] limit_q;
  logic rst_q, commit_q, ready_q;
  ftq_idx_t commit_ftq_q;
  vm_t vm_q;
  tlb_flush_t tlb_flush_q;
  logic walk_ready_q;
  logic [43:0] denied_q;
  pmp_region_t pmp [PmpRegions];
  walk_req_t walk_req;
  walk_resp_t walk_resp_q;
  for (genvar r = 0; r < PmpRegions; r++) begin : gen_region
    if (r == 0)
      assign pmp[r] = '{on: 1'b1, locked: 1'b0, x: 1'b0, w: 1'b1, r: 1'b1, base: {1'b0, denied_q},
                        limit: {1'b0, denied_q} + 45'd1};
    else if (r == 1)
      assign pmp[r] = '{on: 1'b1, locked: 1'b0, x: 1'b1, w: 1'b0, r: 1'b0, base: '0, limit: {1'b1, 44'd0}};
    else assign pmp[r] = '0;
  end
  localparam word_t RomBase = 64'h3_1000;  // ROM_BASE of program.h
  region_t region [Regions];
  for (genvar i = 0; i < Regions; i++) begin : gen_map
    if (i == 0)
      assign region[i] = '{base: RomBase, mask: ~64'hfff, attributes: '{memory: 1'b1, r: 1'b1, x: 1'b1, default: 1'b0}};
    else if (i == 1)
      assign region[i] = '{base: 64'h8000_0000, mask: ~64'hfff_ffff,
                           attributes: '{memory: 1'b1, device: 1'b0, default: 1'b1}};
    else if (i == 2)
      assign region[i] = '{base: 64'h1000, mask: ~64'hfff, attributes: '{device: 1'b1, r: 1'b1, default: 1'b0}};
    else assign region[i] = '0;
  end

  always_ff @(posedge clk_i) begin
    rst_q <= rst_ni;
    redirect_q <= '{valid: redirect_i && rst_ni, pc: redirect_pc_i, ftq: ftq_idx_t'(redirect_ftq_i),
                    branch: redirect_branch_i, taken: redirect_taken_i, offset: redirect_offset_i,
                    icache_invalidate: redirect_invalidate_i};
    resp_q <= '{valid: resp_i && rst_ni, id: resp_id_i, llc_miss: 1'b0, error: 1'b0, data: resp_data_i};
    limit_q <= limit_i;
    commit_q <= commit_i && rst_ni;
    commit_ftq_q <= ftq_idx_t'(commit_ftq_i);
    ready_q <= ready_i;
    vm_q <= '{sv39: sv39_i, asid: asid_i, root: '0, sum: 1'b1, mxr: 1'b1, fetch_priv: priv_e'(priv_i),
              data_priv: PRIV_M};
    denied_q <= denied_i;
    tlb_flush_q <= '{walks: (tlb_flush_i || space_i) && rst_ni, entries: tlb_flush_i && rst_ni, default: '0};
    walk_ready_q <= walk_ready_i;
    walk_resp_q <= '{valid: end_i && rst_ni, fetch: end_fetch_i, vpn: end_vpn_i, page_fault: end_page_fault_i,
                     access_fault: end_access_fault_i,
                     leaf: '{regions: '0, granted: '0, g: 1'b0, level: end_level_i, ppn: end_ppn_i,
                             perms: end_perms_i}};
  end
  walk_resp_t walk_resp;
  leaf_t end_leaf;
  page_rights u_page_rights (.pmp_i(pmp), .region_i(region), .valid_i(walk_resp_q.valid), .vpn_i(walk_resp_q.vpn),
                             .leaf_i(walk_resp_q.leaf), .leaf_o(end_leaf));
  always_comb begin
    walk_resp = walk_resp_q;
    walk_resp.leaf = end_leaf;
  end

  frontend u_dut (
    .clk_i, .rst_ni(rst_q), .reset_pc_i(RomBase), .redirect_i(redirect_q), .insn_o(insn), .insn_valid_o(valid),
    .insn_take_i(take), .ftq_read_idx_i(ftq_idx_t'(ftq_read_idx_i)), .ftq_read_next_pc_o, .commit_valid_i(commit_q),
    .commit_ftq_i(commit_ftq_q), .vm_i(vm_q), .pmp_i(pmp), .region_i(region), .tlb_flush_i(tlb_flush_q),
    .walk_req_o(walk_req), .walk_ready_i(walk_ready_q && !tlb_flush_q.walks),
    .walk_resp_i(walk_resp), .imem_req_o(req), .imem_ready_i(ready_q), .imem_resp_i(resp_q), .fetch_valid_o(fetch_o),
    .fetch_pc_o,
    /* verilator lint_off PINCONNECTEMPTY */  // what observers see is held to whole programs (worker inst-lifetimes)
    .packet_o()
    /* verilator lint_on PINCONNECTEMPTY */
  );

  always_comb begin
    for (int unsigned l = 0; l < CoreWidth; l++) take[l] = valid[l] && 4'(l) < limit_q && !redirect_q.valid;
    rvc_o = '0;
    pred_taken_o = '0;
    fault_o = '0;
    dr_l1_o = '0;
    dr_tlb_o = '0;
    for (int unsigned l = 0; l < 8; l++) begin
      pc_o[l] = '0;
      insn_o[l] = '0;
      ftq_o[l] = '0;
    end
    for (int unsigned l = 0; l < CoreWidth; l++) begin
      pc_o[l] = insn[l].pc;
      insn_o[l] = insn[l].insn;
      ftq_o[l] = 8'(insn[l].ftq);
      rvc_o[l] = insn[l].rvc;
      pred_taken_o[l] = insn[l].pred_taken;
      fault_o[l] = insn[l].fault;
      dr_l1_o[l] = insn[l].dr_l1;
      dr_tlb_o[l] = insn[l].dr_tlb;
    end
  end

  assign walk_o = walk_req.valid;
  assign walk_vpn_o = walk_req.vpn;
  assign walk_taken_o = walk_req.valid && walk_ready_q && !tlb_flush_q.walks;
  assign core_width_o = CoreWidth;
  assign fetch_width_o = FetchWidth;
  assign ftq_entries_o = FtqEntries;
  assign redirect_o = redirect_q.valid;
  assign taken_o = 8'(take);
  assign offered_o = 8'(valid);
  assign req_o = req.valid;
  assign req_id_o = req.id;
  assign req_addr_o = req.addr;
  assign ready_o = ready_q;
endmodule
