// mmu with flat ports. Two regions of protection: a page that may not be read, only all else, and what may be read
// besides.
module mmu_tb
  import config_pkg::*;
  import core_pkg::*;
  import memory_map_pkg::*;
  import mmu_pkg::*;
(
  input  logic        clk_i,
  input  logic        rst_ni,
  output logic [31:0] l2_entries_o,
  input  logic [43:0] root_i,
  input  logic [44:0] denied_i,        // page; region 0
  input  logic [44:0] base_i,          // region 1, readable
  input  logic [44:0] limit_i,
  input  logic [7:0]  asid_i,
  input  logic        flush_i,         // of walks, and of entries:
  input  logic        entries_i,
  input  logic        by_asid_i,
  input  logic [7:0]  flush_asid_i,
  input  logic        by_page_i,
  input  logic [26:0] flush_vpn_i,
  input  logic        fetch_i,
  input  logic [26:0] fetch_vpn_i,
  output logic        fetch_ready_o,
  input  logic        data_i,
  input  logic [26:0] data_vpn_i,
  output logic        data_ready_o,
  input  logic        update_i,
  input  logic [26:0] update_vpn_i,
  output logic        update_ready_o,
  output logic        update_resp_o,
  output logic        update_page_fault_o,
  output logic        update_access_fault_o,
  output logic [1:0]  update_level_o,
  output logic [43:0] update_ppn_o,
  output logic [5:0]  update_perms_o,
  output logic [63:0] update_addr_o,
  output logic [63:0] update_entry_o,
  output logic        resp_o,
  output logic        resp_fetch_o,
  output logic [26:0] resp_vpn_o,
  output logic        resp_page_fault_o,
  output logic        resp_access_fault_o,
  output logic        resp_g_o,
  output logic [1:0]  resp_level_o,
  output logic [43:0] resp_ppn_o,
  output logic [5:0]  resp_perms_o,    // D A U X W R
  output logic [2:0]  resp_granted_o,  // X W R
  input  logic [11:0] offset_i,
  // of that place in the page: by the leaf's regions, by all of the physical address
  output logic [4:0]  attributes_o [2],
  output logic        read_o,
  output logic [63:0] read_addr_o,
  input  logic        read_done_i,
  input  logic        read_error_i,
  input  logic [63:0] read_data_i
);
  pmp_region_t pmp [PmpRegions];
  for (genvar r = 0; r < PmpRegions; r++) begin : gen_region
    if (r == 0)
      assign pmp[r] = '{on: 1'b1, locked: 1'b0, x: 1'b1, w: 1'b1, r: 1'b0, base: denied_i, limit: denied_i + 45'd1};
    else if (r == 1) assign pmp[r] = '{on: 1'b1, locked: 1'b0, x: 1'b0, w: 1'b0, r: 1'b1, base: base_i, limit: limit_i};
    else assign pmp[r] = '0;
  end
  region_t region [Regions];
  for (genvar i = 0; i < Regions; i++) begin : gen_map
    assign region[i] = '{base: RegionBase[i], mask: RegionMask[i], attributes: RegionIs[i]};
  end
  walk_resp_t resp;
  table_leaf_t update;
  mmu u_dut (
    .clk_i, .rst_ni,
    .vm_i('{sv39: 1'b1, asid: asid_i, root: root_i, sum: 1'b0, mxr: 1'b0, fetch_priv: PRIV_U, data_priv: PRIV_S}),
    .pmp_i(pmp), .region_i(region),
    .flush_i('{walks: flush_i, entries: flush_i && entries_i, by_asid: by_asid_i, asid: flush_asid_i,
               by_page: by_page_i, vpn: flush_vpn_i}),
    .fetch_req_i('{valid: fetch_i, vpn: fetch_vpn_i}), .fetch_ready_o,
    .data_req_i('{valid: data_i, vpn: data_vpn_i}), .data_ready_o,
    .update_req_i('{valid: update_i, vpn: update_vpn_i}), .update_ready_o, .update_resp_o(update),
    .resp_o(resp), .table_read_o({read_o, read_addr_o}),
    .table_data_i('{done: read_done_i, error: read_error_i, data: read_data_i})
  );
  assign update_resp_o = update.valid;
  assign update_page_fault_o = update.page_fault;
  assign update_access_fault_o = update.access_fault;
  assign update_level_o = update.leaf.level;
  assign update_ppn_o = update.leaf.ppn;
  assign update_perms_o = {update.leaf.perms.d, update.leaf.perms.a, update.leaf.perms.u, update.leaf.perms.x,
                           update.leaf.perms.w, update.leaf.perms.r};
  assign update_addr_o = update.addr;
  assign update_entry_o = update.entry;
  assign resp_o = resp.valid;
  assign resp_fetch_o = resp.fetch;
  assign resp_vpn_o = resp.vpn;
  assign resp_page_fault_o = resp.page_fault;
  assign resp_access_fault_o = resp.access_fault;
  assign resp_g_o = resp.leaf.g;
  assign resp_level_o = resp.leaf.level;
  assign resp_ppn_o = resp.leaf.ppn;
  assign resp_perms_o = {resp.leaf.perms.d, resp.leaf.perms.a, resp.leaf.perms.u, resp.leaf.perms.x, resp.leaf.perms.w,
                         resp.leaf.perms.r};
  assign resp_granted_o = resp.leaf.granted;
  attributes_t attributes [2];
  leaf_region_check u_by_leaf (.region_i(region), .offset_i({resp.vpn[17:0], offset_i}), .leaf_i(resp.leaf),
                               .attributes_o(attributes[0]));
  region_check u_by_address (.region_i(region), .address_i({8'd0, leaf_ppn(resp.leaf, resp.vpn), offset_i}),
                             .attributes_o(attributes[1]));
  for (genvar i = 0; i < 2; i++) begin : gen_attributes
    assign attributes_o[i] = attributes[i];
  end
  assign l2_entries_o = L2TlbEntries;
endmodule
