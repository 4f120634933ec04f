// lsu_tlb_wait with flat ports of a fixed size (2 memory ports).
module lsu_tlb_wait_tb
  import config_pkg::*;
  import instructions_pkg::*;
  import core_pkg::*;
  import mmu_pkg::*;
  import lsu_pkg::*;
(
  input  logic clk_i,
  input  logic rst_ni,
  output int ports_o,
  output int entries_o,
  output int rob_entries_o,
  input  logic squash_i,
  input  logic squash_all_i,
  input  logic [15:0] squash_rob_i,   // {wrap, idx of 15 bits}
  input  logic flush_i,
  input  logic [1:0] miss_i,
  input  logic [15:0] miss_rob_i [2],
  input  logic [63:0] miss_base_i [2],
  input  logic [63:0] miss_data_i [2],
  input  logic [11:0] miss_imm_i [2],
  input  logic [63:0] miss_vpn_i [2],
  output logic walk_valid_o,
  output logic [63:0] walk_vpn_o,
  input  logic walk_ready_i,
  input  logic end_valid_i,
  input  logic end_fetch_i,
  input  logic [63:0] end_vpn_i,
  input  logic end_page_fault_i,
  input  logic end_access_fault_i,
  input  logic [1:0] end_level_i,
  input  logic [63:0] end_ppn_i,
  input  logic [5:0] end_perms_i,
  output logic fill_o,
  output logic again_valid_o,
  output logic [15:0] again_rob_o,
  output logic [63:0] again_base_o,
  output logic [63:0] again_data_o,
  output logic [63:0] again_rest_o,   // imm, op, unit: as they came
  output logic again_page_fault_o,
  output logic again_access_fault_o,
  output logic [1:0] again_level_o,
  output logic [63:0] again_ppn_o,
  output logic [5:0] again_perms_o,
  input  logic again_take_i,
  output logic [1:0] hold_o
);
  function automatic rob_idx_t narrow(input logic [15:0] wide);
    narrow = '{wrap: wide[15], idx: wide[RobIdxBits-2:0]};
  endfunction

  squash_t squash;
  mem_uop_t miss_uop [MemPorts], again_uop;
  vpn_t miss_vpn [MemPorts];
  walk_req_t walk_req;
  walk_resp_t again_walked;
  logic [MemPorts-1:0] hold;

  assign ports_o = MemPorts;
  assign entries_o = WaitEntries;
  assign rob_entries_o = RobEntries;

  always_comb begin
    squash = '0;
    squash.valid = squash_i;
    squash.all = squash_all_i;
    squash.rob = narrow(squash_rob_i);
    for (int p = 0; p < MemPorts; p++) begin
      miss_uop[p] = '0;
      miss_uop[p].valid = miss_i[p];
      miss_uop[p].op = miss_imm_i[p][0] ? OP_SD : OP_LWU;
      miss_uop[p].unit = miss_imm_i[p][0] ? UNIT_STORE : UNIT_LOAD;
      miss_uop[p].rob = narrow(miss_rob_i[p]);
      miss_uop[p].base = miss_base_i[p];
      miss_uop[p].data = miss_data_i[p];
      miss_uop[p].imm = miss_imm_i[p];
      miss_vpn[p] = miss_vpn_i[p][26:0];
    end
  end

  lsu_tlb_wait u_wait (
    .clk_i, .rst_ni, .squash_i(squash), .flush_i, .miss_i(miss_i[MemPorts-1:0]), .miss_uop_i(miss_uop),
    .miss_vpn_i(miss_vpn), .walk_req_o(walk_req), .walk_ready_i,
    .walk_resp_i('{valid: end_valid_i, fetch: end_fetch_i, vpn: end_vpn_i[26:0], page_fault: end_page_fault_i,
                   access_fault: end_access_fault_i,
                   leaf: '{regions: '0, granted: ~end_perms_i[2:0], g: 1'b0, level: end_level_i, ppn: end_ppn_i[43:0],
                           perms: end_perms_i}}),
    .fill_o, .again_valid_o, .again_uop_o(again_uop), .again_walked_o(again_walked), .again_take_i, .hold_o(hold)
  );

  assign walk_valid_o = walk_req.valid;
  assign walk_vpn_o = 64'(walk_req.vpn);
  assign again_rob_o = {again_uop.rob.wrap, 15'(again_uop.rob.idx)};
  assign again_base_o = again_uop.base;
  assign again_data_o = again_uop.data;
  assign again_rest_o = {51'd0, again_uop.valid && again_walked.valid &&
                         (again_walked.page_fault || again_walked.access_fault ||
                          again_walked.leaf.granted == ~again_walked.leaf.perms[2:0]) &&
                         (again_uop.imm[0] ? again_uop.op == OP_SD && again_uop.unit == UNIT_STORE
                                           : again_uop.op == OP_LWU && again_uop.unit == UNIT_LOAD), again_uop.imm};
  assign again_page_fault_o = again_walked.page_fault;
  assign again_access_fault_o = again_walked.access_fault;
  assign again_level_o = again_walked.leaf.level;
  assign again_ppn_o = 64'(again_walked.leaf.ppn);
  assign again_perms_o = again_walked.leaf.perms;
  assign hold_o = 2'(hold);
endmodule
