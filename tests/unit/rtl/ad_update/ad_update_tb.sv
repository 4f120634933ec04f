// ad_update, switched on, with flat ports. Region 0 of protection is one page with the given rights, all else is open.
module ad_update_tb
  import config_pkg::*;
  import core_pkg::*;
  import memory_map_pkg::*;
  import mmu_pkg::*;
  import commit_pkg::*;
(
  input  logic        clk_i,
  input  logic        rst_ni,
  input  logic        sum_i,
  input  logic        mxr_i,
  input  logic [1:0]  fetch_priv_i,
  input  logic [1:0]  data_priv_i,
  input  logic [43:0] closed_i,
  input  logic [2:0]  closed_rights_i,  // X W R
  input  logic        fault_i,
  input  logic [5:0]  cause_i,
  input  logic [63:0] tval_i,
  input  logic        amo_i,
  input  logic        interrupt_i,
  input  logic        left_i,
  output logic        hold_o,
  output logic        again_o,
  output logic        denied_o,
  output logic        locked_o,
  output logic        walk_o,
  output logic [26:0] walk_vpn_o,
  input  logic        walk_ready_i,
  input  logic        resp_i,
  input  logic        resp_page_fault_i,
  input  logic        resp_access_fault_i,
  input  logic [1:0]  resp_level_i,
  input  logic [43:0] resp_ppn_i,
  input  logic [63:0] resp_addr_i,
  input  logic [63:0] resp_entry_i,     // low byte: D A G U X W R V
  input  logic        stores_gone_i,
  output logic        swap_o,
  output logic [63:0] swap_addr_o,
  output logic [63:0] swap_old_o,
  output logic [63:0] swap_new_o,
  input  logic        swap_done_i,
  input  logic        swap_error_i,
  output logic        tlb_flush_o
);
  pmp_region_t pmp [PmpRegions];
  for (genvar r = 0; r < PmpRegions; r++) begin : gen_region
    if (r == 0)
      assign pmp[r] = '{on: 1'b1, locked: 1'b0, x: closed_rights_i[2], w: closed_rights_i[1], r: closed_rights_i[0],
                        base: {1'b0, closed_i}, limit: {1'b0, closed_i} + 45'd1};
    else if (r == 1)
      assign pmp[r] = '{on: 1'b1, locked: 1'b0, x: 1'b1, w: 1'b1, r: 1'b1, base: '0, limit: 45'h1000_0000_0000};
    else assign pmp[r] = '0;
  end
  region_t region [Regions];
  for (genvar i = 0; i < Regions; i++) begin : gen_map
    assign region[i] = '{base: RegionBase[i], mask: RegionMask[i], attributes: RegionIs[i]};
  end
  fault_check_t check;
  walk_req_t walk;
  ad_update #(.Enabled(1'b1)) u_dut (
    .clk_i, .rst_ni,
    .vm_i('{sv39: 1'b1, asid: '0, root: '0, sum: sum_i, mxr: mxr_i, fetch_priv: priv_e'(fetch_priv_i),
            data_priv: priv_e'(data_priv_i)}),
    .pmp_i(pmp), .region_i(region), .fault_i, .cause_i, .tval_i, .amo_i, .interrupt_i, .left_i, .check_o(check),
    .walk_req_o(walk), .walk_ready_i, .walk_resp_i('{valid: resp_i, page_fault: resp_page_fault_i,
                                                     access_fault: resp_access_fault_i,
                   leaf: '{regions: '0, granted: '0, g: 1'b0, level: resp_level_i, ppn: resp_ppn_i,
                           perms: '{d: resp_entry_i[7], a: resp_entry_i[6], u: resp_entry_i[4], x: resp_entry_i[3],
                                    w: resp_entry_i[2], r: resp_entry_i[1]}},
                   addr: resp_addr_i, entry: resp_entry_i}),
    .stores_gone_i, .swap_o({swap_o, swap_addr_o, swap_old_o, swap_new_o}),
    .swapped_i('{done: swap_done_i, error: swap_error_i}), .tlb_flush_o
  );
  assign hold_o = check.hold;
  assign again_o = check.again;
  assign denied_o = check.denied;
  assign locked_o = check.locked;
  assign walk_o = walk.valid;
  assign walk_vpn_o = walk.vpn;
endmodule
