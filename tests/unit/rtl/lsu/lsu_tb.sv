// lsu with flat ports of a fixed size (8 lanes, 4 memory ports), so that one bench drives every configuration.
// Inputs come at the falling clock edge; lanes and ports that the configuration lacks are ignored and read 0.
module lsu_tb
  import config_pkg::*;
  import instructions_pkg::*;
  import events_pkg::*;
  import core_pkg::*;
  import line_pkg::*;
  import memory_map_pkg::*;
  import mmu_pkg::*;
  import dcache_pkg::*;
  import lsu_pkg::*;
(
  input  logic clk_i,
  input  logic rst_ni,
  // configuration
  output int width_o,
  output int ports_o,
  output int rob_entries_o,
  output int rob_bits_o,
  output int sets_o,
  output int ways_o,
  output int tlb_entries_o,
  output int pmp_entries_o,
  // squash
  input  logic squash_valid_i,
  input  logic squash_all_i,
  input  logic [15:0] squash_rob_i,   // {wrap, idx} in the configuration's width
  input  logic [15:0] squash_lq_i,
  input  logic [15:0] squash_sq_i,
  // dispatch
  input  logic [7:0] dis_load_i,
  input  logic [7:0] dis_store_i,
  input  logic [7:0] dis_fire_i,
  input  logic [15:0] dis_rob_i [8],
  output logic [15:0] dis_lq_o [8],
  output logic [15:0] dis_sq_o [8],
  output logic [7:0] dis_lq_full_o,
  output logic [7:0] dis_sq_full_o,
  // execute
  input  logic [3:0] ex_valid_i,
  input  logic [6:0] ex_code_i [4],   // see op_of
  input  logic [1:0] ex_part_i [4],   // mem_part_e
  input  logic [15:0] ex_rob_i [4],
  input  logic [15:0] ex_lq_i [4],
  input  logic [15:0] ex_sq_i [4],
  input  logic [63:0] ex_base_i [4],
  input  logic [63:0] ex_data_i [4],
  input  logic [11:0] ex_imm_i [4],
  output logic [3:0] ex_hold_o,
  // translation and protection
  input  logic vm_sv39_i,
  input  logic vm_sum_i,
  input  logic vm_mxr_i,
  input  logic [1:0] vm_priv_i,
  input  logic [15:0] pmp_on_i,
  input  logic [15:0] pmp_locked_i,
  input  logic [2:0] pmp_rwx_i [16],  // r is bit 0
  input  logic [63:0] pmp_base_i [16],
  input  logic [63:0] pmp_limit_i [16],
  input  logic tlb_flush_i,
  input  logic space_i,             // another address space: walks are dropped
  input  logic [7:0] vm_asid_i,
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
  input  logic [5:0] end_perms_i,     // daux wr
  input  logic table_valid_i,
  input  logic [63:0] table_addr_i,
  output logic table_done_o,
  output logic [63:0] table_data_o,
  input  logic table_swap_i,
  input  logic [63:0] table_swap_addr_i,
  input  logic [63:0] table_swap_old_i,
  input  logic [63:0] table_swap_new_i,
  output logic table_swap_done_o,
  output logic stores_gone_o,
  // completion; loads are 0..3, stores 4..7
  output logic [7:0] done_valid_o,
  output logic [15:0] done_rob_o [8],
  output logic [63:0] done_data_o [8],
  output logic [7:0] done_exception_o,
  output logic [5:0] done_cause_o [8],
  output logic [63:0] done_tval_o [8],
  output logic [15:0] done_pd_o [8],
  // events
  output logic [8:0] event_valid_o,
  output logic [15:0] event_rob_o [9],
  output logic [8:0] event_l1_o,
  output logic [8:0] event_llc_o,
  output logic [8:0] event_tlb_o,
  output logic [8:0] event_coh_o,
  output logic [8:0] event_other_o,   // any other bit
  // what the data cache finds: a load or AMO without a line, by port; a line comes
  output logic [3:0] miss_o,
  output logic [15:0] miss_rob_o [4],
  output logic [3:0] miss_join_o,     // its line is on its way
  output logic [3:0] miss_upgrade_o,  // it is here, but shared
  output logic refill_valid_o,
  output logic [63:0] refill_addr_o,
  output logic refill_llc_o,
  output logic refill_peer_o,
  output logic viol_valid_o,
  output logic [15:0] viol_rob_o,
  // commit
  input  logic [3:0] com_loads_i,
  input  logic [3:0] com_stores_i,
  output logic nonspec_req_o,
  output logic [15:0] nonspec_rob_o,
  input  logic nonspec_gnt_i,
  output logic sq_empty_o,
  input  logic clean_i,
  output logic clean_done_o,
  // memory
  output logic mem_valid_o,
  output logic mem_write_o,
  output logic [4:0] mem_id_o,
  output logic [63:0] mem_addr_o,
  output logic [511:0] mem_data_o,
  input  logic mem_ready_i,
  input  logic resp_valid_i,
  input  logic [4:0] resp_id_i,
  input  logic resp_llc_i,
  input  logic resp_error_i,
  input  logic [511:0] resp_data_i,
  // another hart, where several are coherent: lsu_hub.sv
  output logic coherent_o,
  input  logic ask_take_i,            // the unit's requests are taken
  input  logic other_request_i,
  input  logic [1:0] other_kind_i,
  input  logic [4:0] other_id_i,
  input  logic [63:0] other_addr_i,
  input  logic [5:0] other_up_i,
  input  logic [4:0] other_up_tag_i,
  input  logic [63:0] other_up_addr_i,
  input  logic [511:0] other_up_data_i,
  output logic [8:0] other_down_o,
  output logic [63:0] other_down_addr_o,
  output logic [14:0] other_answer_o,
  output logic [511:0] other_answer_data_o,
  output logic [3:0] hits_o,          // the unit finds these lines, by port, and writes them
  output logic [3:0] writes_o,
  output logic [63:0] hit_addr_o [4],
  input  logic other_done_i,
  input  logic [4:0] other_done_transaction_i,
  // devices
  output logic dev_valid_o,
  output logic dev_write_o,
  output logic [1:0] dev_size_o,
  output logic [63:0] dev_addr_o,
  output logic [63:0] dev_data_o,
  input  logic dev_ready_i,
  input  logic dev_resp_i,
  input  logic [63:0] dev_rdata_i,
  output logic lost_o,                // a store without a line leaves
  output logic [63:0] lost_addr_o,
  output logic [7:0] waits_o [3],     // cycles without a port, as they are bounded: drain, AMO, table read
  output logic table_forced_o,        // a table read takes the port from whoever has it
  // monitor names
  output logic amo_wrote_o,
  output logic [63:0] amo_addr_o,
  output logic [63:0] amo_data_o,
  // what leaves: loads, then stores
  output logic [7:0] left_reads_o,
  output logic [7:0] left_writes_o,
  output logic [63:0] left_addr_o [16],
  output logic [1:0] left_size_o [16],
  output logic [63:0] left_data_o [8]
);
  // 0..7 loads by funct3, 8..11 stores by size, 16.. LR SC SWAP ADD XOR OR AND MIN MAX MINU MAXU of 32 bits, 32.. of
  // 64.
  function automatic op_e op_of(input logic [6:0] code);
    case (code)
      7'd0: op_of = OP_LB;
      7'd1: op_of = OP_LH;
      7'd2: op_of = OP_LW;
      7'd3: op_of = OP_LD;
      7'd4: op_of = OP_LBU;
      7'd5: op_of = OP_LHU;
      7'd6: op_of = OP_LWU;
      7'd8: op_of = OP_SB;
      7'd9: op_of = OP_SH;
      7'd10: op_of = OP_SW;
      7'd11: op_of = OP_SD;
      7'd16: op_of = OP_LR_W;
      7'd17: op_of = OP_SC_W;
      7'd18: op_of = OP_AMOSWAP_W;
      7'd19: op_of = OP_AMOADD_W;
      7'd20: op_of = OP_AMOXOR_W;
      7'd21: op_of = OP_AMOOR_W;
      7'd22: op_of = OP_AMOAND_W;
      7'd23: op_of = OP_AMOMIN_W;
      7'd24: op_of = OP_AMOMAX_W;
      7'd25: op_of = OP_AMOMINU_W;
      7'd26: op_of = OP_AMOMAXU_W;
      7'd32: op_of = OP_LR_D;
      7'd33: op_of = OP_SC_D;
      7'd34: op_of = OP_AMOSWAP_D;
      7'd35: op_of = OP_AMOADD_D;
      7'd36: op_of = OP_AMOXOR_D;
      7'd37: op_of = OP_AMOOR_D;
      7'd38: op_of = OP_AMOAND_D;
      7'd39: op_of = OP_AMOMIN_D;
      7'd40: op_of = OP_AMOMAX_D;
      7'd41: op_of = OP_AMOMINU_D;
      default: op_of = OP_AMOMAXU_D;
    endcase
  endfunction

  localparam int unsigned ComBits = $clog2(CoreWidth + 1);

  queue_enter_t enter;
  queue_room_t room;
  mem_uop_t ex_uop [MemPorts];
  mem_done_t done [2*MemPorts];
  mem_event_t events [MemEvents];
  lsu_report_t report;
  table_answer_t table_answer;
  line_req_t mem_req;
  device_req_t dev_req;
  lsu_out_t lsu_out;
  assign dev_req = lsu_out.device;
  line_in_t mem_in;
  hub_pkg::hub_in_t hub_in;
  assign mem_in = '{ready: mem_ready_i,
                    resp: '{valid: resp_valid_i, id: resp_id_i, llc_miss: resp_llc_i, error: resp_error_i,
                            data: resp_data_i}};
  assign coherent_o = Coherent;
  if (Coherent) begin : gen_hub
    lsu_hub u_hub (
      .clk_i, .rst_ni, .unit_i(lsu_out.hub), .unit_take_i(ask_take_i), .unit_o(hub_in), .memory_o(mem_req),
      .memory_i(mem_in), .request_i(other_request_i), .request_kind_i(other_kind_i), .request_id_i(other_id_i),
      .request_addr_i(other_addr_i), .up_i(other_up_i), .up_tag_i(other_up_tag_i), .up_addr_i(other_up_addr_i),
      .up_data_i(other_up_data_i), .down_o(other_down_o), .down_addr_o(other_down_addr_o), .answer_o(other_answer_o),
      .answer_data_o(other_answer_data_o), .done_i(other_done_i), .done_transaction_i(other_done_transaction_i)
    );
  end else begin : gen_memory
    assign mem_req = lsu_out.line;
    assign {hub_in, other_down_o, other_down_addr_o, other_answer_o, other_answer_data_o} = '0;
  end

  assign width_o = CoreWidth;
  assign ports_o = MemPorts;
  assign rob_entries_o = RobEntries;
  assign rob_bits_o = RobIdxBits;
  assign sets_o = DcSets;
  assign ways_o = DcWays;
  assign tlb_entries_o = DtlbEntries;
  assign pmp_entries_o = PmpEntries;

  pmp_region_t pmp [PmpRegions];
  for (genvar i = 0; i < PmpRegions; i++) begin : gen_pmp
    assign pmp[i] = '{on: pmp_on_i[i], locked: pmp_locked_i[i], x: pmp_rwx_i[i][2], w: pmp_rwx_i[i][1],
                      r: pmp_rwx_i[i][0], base: pmp_base_i[i][44:0], limit: pmp_limit_i[i][44:0]};
  end
  region_t region [Regions];
  for (genvar i = 0; i < Regions; i++) begin : gen_map
    assign region[i] = '{base: RegionBase[i], mask: RegionMask[i], attributes: RegionIs[i]};
  end
  logic [MemPorts-1:0] hold;
  walk_req_t walk_req;
  assign ex_hold_o = 4'(hold);
  assign walk_valid_o = walk_req.valid;
  assign walk_vpn_o = 64'(walk_req.vpn);
  leaf_t end_leaf;
  page_rights u_page_rights (
    .pmp_i(pmp), .region_i(region), .valid_i(end_valid_i), .vpn_i(end_vpn_i[26:0]),
    .leaf_i('{regions: '0, granted: '0, g: 1'b0, level: end_level_i, ppn: end_ppn_i[43:0], perms: end_perms_i}),
    .leaf_o(end_leaf)
  );

  lsu u_lsu (
    .clk_i,
    .rst_ni,
    .squash_i('{
      valid: squash_valid_i,
      all: squash_all_i,
      rob: squash_rob_i[RobIdxBits-1:0],
      snapshot: '0,
      lq_tail: squash_lq_i[LqBits-1:0],
      sq_tail: squash_sq_i[SqBits-1:0]
    }),
    .want_i('{loads: dis_load_i[CoreWidth-1:0], stores: dis_store_i[CoreWidth-1:0]}),
    .room_o(room),
    .enter_i(enter),
    .ex_uop_i(ex_uop),
    .ex_hold_o(hold),
    .vm_i('{sv39: vm_sv39_i, asid: vm_asid_i, root: '0, sum: vm_sum_i, mxr: vm_mxr_i, fetch_priv: PRIV_M,
            data_priv: priv_e'(vm_priv_i)}),
    .pmp_i(pmp), .region_i(region),
    .tlb_flush_i('{walks: tlb_flush_i || space_i, entries: tlb_flush_i, default: '0}),
    .walk_req_o(walk_req),
    .walk_i('{
      ready: walk_ready_i,
      resp: '{
        valid: end_valid_i,
        fetch: end_fetch_i,
        vpn: end_vpn_i[26:0],
        page_fault: end_page_fault_i,
        access_fault: end_access_fault_i,
        leaf: end_leaf
      }
    }),
    .table_i('{
      read: '{valid: table_valid_i, addr: table_addr_i},
      swap: '{valid: table_swap_i, addr: table_swap_addr_i, old: table_swap_old_i, new_: table_swap_new_i}
    }),
    .table_o(table_answer),
    .done_o(done),
    .event_o(events),
    .report_o(report),
    .com_i('{loads: com_loads_i[ComBits-1:0], stores: com_stores_i[ComBits-1:0], nonspec: nonspec_gnt_i}),
    .clean_i,
    .out_o(lsu_out),
    .in_i('{
      line: '{ready: Coherent ? lsu_out.hub.request.valid && ask_take_i : mem_ready_i, resp: mem_in.resp},
      device: '{ready: dev_ready_i, resp: '{valid: dev_resp_i, error: 1'b0, data: dev_rdata_i}},
      hub: hub_in
    })
  );

  assign dis_lq_full_o = 8'(room.full.loads);
  assign dis_sq_full_o = 8'(room.full.stores);
  assign {table_done_o, table_data_o, table_swap_done_o} =
      {table_answer.read.done, table_answer.read.data, table_answer.swapped.done};
  assign {sq_empty_o, stores_gone_o, clean_done_o} = {report.settled.sq_empty, report.settled.stores_gone,
                                                      report.settled.clean};
  assign viol_valid_o = report.asks.violation.valid;
  assign viol_rob_o = 16'(report.asks.violation.rob);
  assign nonspec_req_o = report.asks.nonspec.valid;
  assign nonspec_rob_o = 16'(report.asks.nonspec.rob);
  assign enter.fire = dis_fire_i[CoreWidth-1:0];
  assign enter.vectors = 1'b1;
  for (genvar i = 0; i < 8; i++) begin : gen_lane
    if (i < CoreWidth) begin : gen_on
      assign enter.rob[i] = dis_rob_i[i][RobIdxBits-1:0];
      assign dis_lq_o[i] = 16'(room.place[i].lq);
      assign dis_sq_o[i] = 16'(room.place[i].sq);
    end else begin : gen_off
      assign dis_lq_o[i] = '0;
      assign dis_sq_o[i] = '0;
    end
  end
  for (genvar p = 0; p < 4; p++) begin : gen_port
    mem_done_t l, s;
    if (p < MemPorts) begin : gen_on
      // Each instruction's destination register is its ROB index, cut to size: the bench checks that it comes back.
      assign ex_uop[p] = '{
        valid: ex_valid_i[p],
        part: mem_part_e'(ex_part_i[p]),
        op: op_of(ex_code_i[p]),
        unit: ex_code_i[p] < 7'd8 ? UNIT_LOAD : ex_code_i[p] < 7'd16 ? UNIT_STORE : UNIT_AMO,
        rob: ex_rob_i[p][RobIdxBits-1:0],
        lq: ex_lq_i[p][LqBits-1:0],
        sq: ex_sq_i[p][SqBits-1:0],
        pd: PregBits'(ex_rob_i[p]),
        pd_valid: 1'b1,
        base: ex_base_i[p],
        data: ex_data_i[p],
        imm: ex_imm_i[p]
      };
      assign l = done[p];
      assign s = done[MemPorts+p];
    end else begin : gen_off
      assign l = '0;
      assign s = '0;
    end
    assign done_valid_o[p] = l.valid;
    assign done_rob_o[p] = 16'(l.rob);
    assign done_data_o[p] = l.data;
    assign done_exception_o[p] = l.exception;
    assign done_cause_o[p] = l.cause;
    assign done_tval_o[p] = l.tval;
    assign done_pd_o[p] = l.pd_valid ? 16'(l.pd) : '1;
    assign done_valid_o[4+p] = s.valid;
    assign done_rob_o[4+p] = 16'(s.rob);
    assign done_data_o[4+p] = s.data;
    assign done_exception_o[4+p] = s.exception;
    assign done_cause_o[4+p] = s.cause;
    assign done_tval_o[4+p] = s.tval;
    assign done_pd_o[4+p] = s.pd_valid ? 16'(s.pd) : '1;
    if (p < MemPorts) begin : gen_miss
      logic amo;
      assign amo = p == 0 && !u_lsu.u_amo.swap_q &&
                   (u_lsu.m1_slot[p] == SLOT_AMO_READ || u_lsu.m1_slot[p] == SLOT_AMO_WRITE);
      assign miss_o[p] = ((u_lsu.m1_slot[p] == SLOT_LOAD && u_lsu.m1_search[p]) || amo) &&
                         u_lsu.u_dcache.look_valid_i[p] &&
                         u_lsu.u_dcache.look_fetch_i[p] && !u_lsu.u_dcache.hit_o[p];
      assign miss_join_o[p] = u_lsu.u_dcache.miss_join_o[p];
      assign miss_upgrade_o[p] = u_lsu.u_dcache.upgrade_o[p];
      assign hits_o[p] = u_lsu.u_dcache.look_valid_i[p] && u_lsu.u_dcache.hit_o[p];
      assign writes_o[p] = hits_o[p] && u_lsu.u_dcache.look_write_i[p];
      assign hit_addr_o[p] = u_lsu.m1_addr[p];
      assign miss_rob_o[p] = amo ? 16'(u_lsu.u_amo.rob_q) : 16'(u_lsu.m1_info[p].rob);
    end else begin : gen_none
      assign miss_o[p] = 1'b0;
      assign miss_join_o[p] = 1'b0;
      assign miss_upgrade_o[p] = 1'b0;
      assign {hits_o[p], writes_o[p], hit_addr_o[p]} = '0;
      assign miss_rob_o[p] = '0;
    end
  end
  for (genvar e = 0; e < 9; e++) begin : gen_event
    if (e < MemEvents) begin : gen_on
      assign event_valid_o[e] = events[e].valid;
      assign event_rob_o[e] = 16'(events[e].rob);
      assign event_l1_o[e] = events[e].psv[EvStL1];
      assign event_llc_o[e] = events[e].psv[EvStLlc];
      assign event_tlb_o[e] = events[e].psv[EvStTlb];
      assign event_coh_o[e] = (events[e].psv & PsvStCoh) != '0;
      assign event_other_o[e] =
          (events[e].psv & ~(PsvStCoh | psv_t'((1 << EvStL1) | (1 << EvStLlc) | (1 << EvStTlb)))) != '0;
    end else begin : gen_off
      assign {event_valid_o[e], event_l1_o[e], event_llc_o[e], event_tlb_o[e]} = '0;
      assign {event_coh_o[e], event_other_o[e]} = '0;
      assign event_rob_o[e] = '0;
    end
  end
  assign refill_valid_o = u_lsu.u_dcache.refill_o.valid;
  assign refill_addr_o = 64'({u_lsu.u_dcache.refill_o.line, 6'd0});
  assign refill_llc_o = u_lsu.u_dcache.refill_o.llc;
  assign refill_peer_o = u_lsu.u_dcache.refill_o.peer;
  assign {mem_valid_o, mem_write_o, mem_id_o, mem_addr_o, mem_data_o} =
      {mem_req.valid, mem_req.write, mem_req.id, mem_req.addr, mem_req.data};
  assign {dev_valid_o, dev_write_o, dev_size_o, dev_addr_o, dev_data_o} =
      {dev_req.valid, dev_req.write, dev_req.size, dev_req.addr, dev_req.data};

  assign waits_o = '{8'(u_lsu.u_drain_bound.count_q), 8'(u_lsu.u_amo_bound.count_q),
                     8'(u_lsu.u_table_bound.count_q)};
  assign table_forced_o = u_lsu.u_table_read.slot_o.urgent && u_lsu.u_table_read.slot_take_i;
  assign {lost_o, lost_addr_o} = report.lost;
  assign amo_wrote_o = report.left.amo.writes;
  assign amo_addr_o = report.left.amo.addr;
  assign amo_data_o = report.left.amo.data;
  for (genvar k = 0; k < 8; k++) begin : gen_left
    access_t load, store;
    if (k < CoreWidth) begin : gen_on
      assign {load, store} = {report.left.loads[k], report.left.stores[k]};
    end else begin : gen_off
      assign {load, store} = '0;
    end
    assign {left_reads_o[k], left_addr_o[k], left_size_o[k]} = {load.reads && !load.writes, load.addr, load.size};
    assign {left_writes_o[k], left_addr_o[8+k], left_size_o[8+k]} =
        {store.writes && !store.reads, store.addr, store.size};
    assign left_data_o[k] = store.data;
  end
endmodule
