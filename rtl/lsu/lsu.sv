// Load/store unit: address generation, translation, load and store queue, L1 data cache, AMOs, devices.
//
//   EX  address, data TLB, checks (lsu_ex): from here on addresses are physical; stores enter the store queue; loads,
//       retries, drains ... take a cache port (lsu_arb)
//   M1  tags, store queue search, data: load_done_o (combinational); stores: store_done_o, search for younger loads
//       that ran ahead, known in the next cycle (report_o.asks.violation)
//
// A store's address is in the store queue from its M1 on, and it searches the load queue in its M1: a younger load
// with M1 in an earlier cycle is found by the store, one with M1 in the same cycle or later finds the store. None
// slips through. What waits for its translation is in neither queue's search: it has not executed.
module lsu
  import config_pkg::*;
  import instructions_pkg::*;
  import core_pkg::*;
  import line_pkg::*;
  import mmu_pkg::*;
  import dcache_pkg::*;
  import lsu_pkg::*;
(
  input  logic clk_i, rst_ni,
  input  squash_t squash_i,
  // dispatch: lanes in program order
  input  queue_lanes_t want_i,
  output queue_room_t room_o,
  input  queue_enter_t enter_i,
  // execute
  input  mem_uop_t ex_uop_i [MemPorts],
  output logic [MemPorts-1:0] ex_hold_o,   // nothing may issue on these ports
  // translation
  input  vm_t vm_i,
  input  pmp_region_t pmp_i [PmpRegions],
  input  region_t region_i [Regions],
  input  tlb_flush_t tlb_flush_i,
  output walk_req_t walk_req_o,
  input  walk_answer_t walk_i,
  input  table_access_t table_i,           // swaps only while no committed store is left
  output table_answer_t table_o,
  // completion: loads, then stores
  output mem_done_t done_o [2*MemPorts],
  output mem_event_t event_o [MemEvents],
  // commit, permission to act for good, fences
  output lsu_report_t report_o,
  input  lsu_commit_t com_i,
  input  logic clean_i,
  // memory and devices
  output lsu_out_t out_o,
  /* verilator lint_off UNUSEDSIGNAL */  // lines come from memory or from the hub
  input  lsu_in_t in_i
  /* verilator lint_on UNUSEDSIGNAL */
);
  // ======== EX ========
  word_t ex_va [MemPorts], ex_addr [MemPorts], ex_data [MemPorts];
  mem_uop_t ex_uop [MemPorts];
  store_ex_t sq_ex [MemPorts];
  cause_t ex_cause [MemPorts];
  load_info_t ex_info [MemPorts];
  logic [MemPorts-1:0] ex_exception, ex_device, ex_load, ex_store, ex_data_there, sq_has_data, sq_has_addr, ex_amo,
      ex_bump, ex_miss;

  lsu_ex u_ex (
    .clk_i, .rst_ni, .squash_i, .vm_i, .pmp_i, .region_i, .tlb_flush_i, .uop_i(ex_uop_i), .hold_o(ex_hold_o),
    .walk_req_o, .walk_ready_i(walk_i.ready), .walk_resp_i(walk_i.resp), .uop_o(ex_uop), .miss_o(ex_miss),
    .load_o(ex_load), .store_o(ex_store), .data_o(ex_data_there), .amo_o(ex_amo), .va_o(ex_va), .addr_o(ex_addr),
    .info_o(ex_info), .device_o(ex_device), .exception_o(ex_exception), .cause_o(ex_cause)
  );
  for (genvar p = 0; p < MemPorts; p++) begin : gen_ex
    assign ex_data[p] = ex_uop[p].data;
    assign report_o.addressed[p] = '{valid: ex_load[p] || ex_store[p] || ex_amo[p] || ex_miss[p], rob: ex_uop[p].rob,
                                     addr: ex_va[p]};
    assign sq_ex[p] = '{valid: ex_store[p] && !ex_exception[p], has_data: ex_data_there[p], sq: ex_info[p].sq,
                        addr: ex_addr[p], data: ex_data[p], size: ex_info[p].size, device: ex_device[p]};
  end

  fresh_t fresh [MemPorts];
  load_ask_t ex_fresh [MemPorts], pick [MemPorts], dev_wait, dev_ready;
  table_ask_t table_read;
  drain_t drain;
  drain_end_t drain_end;
  amo_ask_t amo_ask;
  prefetch_ask_t prefetch;
  slot_takes_t take;
  logic dev_start, dev_load_ready, dev_load_error, write_block;
  logic [MemPorts-1:0] pick_take;
  for (genvar p = 0; p < MemPorts; p++) begin : gen_fresh
    assign fresh[p] = '{load: ex_load[p], probe: ex_store[p] && !ex_exception[p] && !ex_device[p], addr: ex_addr[p],
                        info: ex_info[p], exception: ex_exception[p], cause: ex_cause[p], device: ex_device[p]};
    assign ex_fresh[p] = '{valid: ex_load[p], error: 1'b0, addr: ex_addr[p], info: ex_info[p]};
  end
  assign dev_ready = '{
    valid: dev_load_ready, error: dev_wait.error || dev_load_error, info: dev_wait.info,
    addr: dev_load_error ? virtual_address(dev_wait.addr, dev_wait.info) : dev_wait.addr
  };

  // ======== EX -> M1 ========
  m1_t m1 [MemPorts];
  slot_e m1_slot [MemPorts];
  word_t m1_addr [MemPorts], write_word, dev_data;
  load_info_t m1_info [MemPorts];
  logic [7:0] write_mask;
  for (genvar p = 0; p < MemPorts; p++) begin : gen_m1
    assign m1_slot[p] = m1[p].slot;
    assign m1_addr[p] = m1[p].addr;
    assign m1_info[p] = m1[p].info;
  end

  lsu_slots u_slots (
    .clk_i, .rst_ni, .squash_i, .fresh_i(fresh), .bump_o(ex_bump), .pick_i(pick), .pick_take_o(pick_take),
    .device_i(dev_ready), .table_i(table_read), .drain_i(drain), .amo_i(amo_ask), .prefetch_i(prefetch), .take_o(take),
    .write_block_i(write_block), .m1_o(m1), .m1_write_word_o(write_word), .m1_write_mask_o(write_mask)
  );

  // ======== M1 ========
  logic [MemPorts-1:0] m1_load, m1_device_end, m1_search, look_valid, look_fetch, look_write;
  look_ask_t look_ask [MemPorts];
  mshr_rank_e look_rank [MemPorts];
  logic [MemPorts-1:0] hit, upgrade, join_, sq_met;
  lines_in_t lines_in;
  /* verilator lint_off UNUSEDSIGNAL */  // memory's or the hub's
  lines_out_t lines_out;
  /* verilator lint_on UNUSEDSIGNAL */
  lost_t lost;
  logic miss_full, free_valid, stores_gone;
  word_t cache_word [MemPorts];
  store_search_t st_search [MemPorts];
  mshr_t miss_id [MemPorts];
  refill_t refill;
  load_met_t load_met;
  store_look_t sq_look [MemPorts];
  store_found_t sq_met_now [MemPorts], sq_found [MemPorts];
  sq_idx_t free_sq;
  load_result_t result [MemPorts];
  mem_done_t amo_done;
  mem_event_t amo_event;
  mshr_turn_t mshr_turn;

  mshr_turn u_mshr_turn (
    .clk_i, .rst_ni, .writer_i(drain.lacks || amo_ask.lacks), .table_i(table_read.lacks), .turn_o(mshr_turn)
  );
  lsu_look u_look (
    .squash_i, .turn_i(mshr_turn), .m1_i(m1), .load_o(m1_load), .device_end_o(m1_device_end), .search_o(m1_search),
    .store_o(sq_look), .valid_o(look_valid), .rank_o(look_rank), .ask_o(look_ask), .write_o(look_write)
  );

  always_comb begin
    drain_end = '0;
    for (int p = 0; p < MemPorts; p++)
      if (m1_slot[p] == SLOT_DRAIN)
        drain_end = '{hit: hit[p], miss: !hit[p], join_: join_[p], full: miss_full};
  end

  always_comb for (int p = 0; p < MemPorts; p++) sq_met[p] = sq_found[p].full || sq_found[p].part;
  assign look_fetch = ~m1_search | ~sq_met;

  // ---- next line ----
  logic [MemPorts-1:0] m1_miss;
  line_t m1_line [MemPorts];
  always_comb
    for (int p = 0; p < MemPorts; p++) begin
      m1_miss[p] = look_valid[p] && look_fetch[p] && !hit[p] && !upgrade[p] && m1_slot[p] != SLOT_PREFETCH;
      m1_line[p] = line_of(m1_addr[p]);
    end

  lsu_prefetch u_prefetch (
    .clk_i, .rst_ni, .miss_i(m1_miss), .line_i(m1_line), .valid_o(prefetch.valid), .line_o(prefetch.line),
    .take_i(take.prefetch)
  );

  for (genvar p = 0; p < MemPorts; p++) begin : gen_end
    mem_done_t load_done;

    lsu_load_end u_load_end (
      .load_i(m1_load[p]),
      .device_end_i(m1_device_end[p]),
      .exception_i(m1[p].exception),
      .cause_i(m1[p].cause),
      .device_i(m1[p].device),
      .addr_i(m1_addr[p]),
      .info_i(m1_info[p]),
      .sq_full_i(sq_found[p].full),
      .sq_part_i(sq_found[p].part),
      .sq_i(sq_found[p].sq),
      .sq_word_i(sq_found[p].word),
      .hit_i(hit[p]),
      .cache_word_i(cache_word[p]),
      .miss_join_i(join_[p]),
      .miss_id_i(miss_id[p]),
      .miss_full_i(miss_full),
      .dev_data_i(dev_data),
      .result_o(result[p]),
      .done_o(load_done)
    );
    assign done_o[p] = (p == 0 && amo_done.valid) ? amo_done : load_done;

    lsu_store_pipe u_store_pipe (
      .clk_i,
      .rst_ni,
      .squash_i,
      .here_i(ex_uop[p].valid),
      .valid_i(ex_store[p]),
      // Where both parts come in one cycle, it is complete with the address. Exceptions are the latest of all.
      .done_i(ex_store[p] ? sq_has_data[p] || ex_exception[p] : ex_data_there[p] && sq_has_addr[p]),
      .addr_i(ex_addr[p]),
      .info_i(ex_info[p]),
      .exception_i(ex_exception[p]),
      .cause_i(ex_cause[p]),
      .search_o(st_search[p]),
      .done_o(done_o[MemPorts+p])
    );
  end

  // ======== queues ========
  logic dev_idle, dev_req;
  store_device_end_t dev_store_end;
  store_device_t dev_store;
  rob_ref_t amo_nonspec;
  rob_idx_t enter_rob [CoreWidth];
  lq_idx_t place_lq [CoreWidth];
  sq_idx_t place_sq [CoreWidth];
  for (genvar i = 0; i < CoreWidth; i++) begin : gen_enter
    assign enter_rob[i] = enter_i.rob[i];
    assign room_o.place[i] = '{lq: place_lq[i], sq: place_sq[i]};
  end

  load_queue u_load_queue (
    .clk_i, .rst_ni, .squash_i, .dis_load_i(want_i.loads), .dis_fire_i(enter_i.fire), .dis_rob_i(enter_rob),
    .dis_lq_o(place_lq), .dis_full_o(room_o.full.loads), .com_loads_i(com_i.loads), .left_o(report_o.left.loads),
    .ex_i(ex_fresh), .ex_bump_i(ex_bump), .pick_o(pick), .pick_take_i(pick_take), .res_i(result),
    .met_o(load_met), .keep_i(enter_i.vectors), .refill_i(refill),
    .free_i('{valid: free_valid, sq: free_sq}), .st_ex_i(sq_ex), .dev_o(dev_wait), .dev_start_i(dev_start),
    .search_i(st_search), .lost_i(lost), .violation_o(report_o.asks.violation)
  );

  store_queue u_store_queue (
    .clk_i, .rst_ni, .squash_i, .dis_store_i(want_i.stores), .dis_fire_i(enter_i.fire), .dis_sq_o(place_sq),
    .dis_full_o(room_o.full.stores), .com_stores_i(com_i.stores), .left_o(report_o.left.stores), .ex_i(sq_ex),
    .ex_data_o(sq_has_data), .ex_addr_o(sq_has_addr), .look_i(sq_look), .found_o(sq_met_now), .drain_o(drain),
    .drain_take_i(take.drain), .drain_end_i(drain_end), .refill_i(refill), .dev_o(dev_store),
    .dev_end_i(dev_store_end), .lost_o(report_o.lost), .free_valid_o(free_valid), .free_sq_o(free_sq),
    .empty_o(report_o.settled.sq_empty), .committed_empty_o(stores_gone)
  );

  if (IdealSockets != 0) begin : gen_ideal
    ideal_order u_ideal (.look_i(sq_look), .info_i(m1_info), .found_i(sq_met_now), .found_o(sq_found));
  end else begin : gen_found
    assign sq_found = sq_met_now;
  end

  dcache u_dcache (
    .clk_i, .rst_ni, .look_valid_i(look_valid), .look_fetch_i(look_fetch), .look_rank_i(look_rank),
    .look_ask_i(look_ask), .look_write_i(look_write), .look_addr_i(m1_addr), .write_word_i(write_word),
    .write_mask_i(write_mask), .hit_o(hit), .upgrade_o(upgrade), .word_o(cache_word), .miss_join_o(join_),
    .miss_id_o(miss_id), .miss_full_o(miss_full), .write_block_o(write_block),
    .writer_waits_i(amo_ask.valid || (drain.valid && drain.urgent)), .refill_o(refill),
    .clean_i(clean_i && report_o.settled.sq_empty), .clean_done_o(report_o.settled.clean),
    .lines_o(lines_out), .lines_i(lines_in), .lost_o(lost)
  );

  if (Coherent) begin : gen_hub
    // One line at most: one MSHR is taken in a cycle, and a line that has one is not here.
    assign report_o.upgrade = (look_valid & look_fetch & upgrade & join_) != '0;
    assign out_o.line = '0;
    assign out_o.hub = '{
      request: '{valid: lines_out.get.valid, kind: lines_out.get.kind, id: hub_pkg::tag_t'(lines_out.get.id),
                 line: hub_pkg::line_t'(lines_out.get.line)},
      up: lines_out.up, done: lines_out.done
    };
    assign lines_in = '{get: '{take: lines_out.get.valid && in_i.line.ready, resp: in_i.hub.answer}, put: '0,
                        down: in_i.hub.down};
  end else begin : gen_memory
    assign report_o.upgrade = 1'b0;
    assign out_o.hub = '0;
    assign lines_in.down = '0;
    line_mux u_line_mux (
      .get_i(lines_out.get), .put_i(lines_out.put), .get_o(lines_in.get), .put_o(lines_in.put), .line_o(out_o.line),
      .line_i(in_i.line)
    );
  end

  amo_ctrl u_amo (
    .clk_i, .rst_ni, .squash_i, .start_i(ex_amo[0]), .op_i(ex_uop[0].op), .addr_i(ex_addr[0]), .operand_i(ex_data[0]),
    .info_i(ex_info[0]), .exception_i(ex_exception[0]),
    .cause_i(ex_cause[0]), .stores_gone_i(stores_gone), .nonspec_o(amo_nonspec),
    .nonspec_gnt_i(com_i.nonspec), .slot_o(amo_ask), .slot_take_i(take.amo), .hit_i(hit[0]), .word_i(cache_word[0]),
    .wait_i({upgrade[0], miss_full, join_[0]}), .refill_i(refill), .lost_i(lost), .swap_i(table_i.swap),
    .swapped_o(table_o.swapped), .left_o(report_o.left.amo), .done_o(amo_done), .event_o(amo_event)
  );

  lsu_events u_events (
    .tlb_miss_i(ex_miss), .tlb_info_i(ex_info), .res_i(result), .res_info_i(m1_info), .met_i(load_met),
    .amo_i(amo_event), .event_o
  );

  lsu_table_read u_table_read (
    .clk_i, .rst_ni, .read_i(table_i.read), .data_o(table_o.read), .slot_o(table_read), .slot_take_i(take.table_),
    .slot_i(m1_slot), .hit_i(hit), .word_i(cache_word), .join_i(join_), .full_i(miss_full), .refill_i(refill)
  );

  device_port u_device_port (
    .clk_i, .rst_ni, .st_i(dev_store), .st_end_o(dev_store_end), .ld_start_i(dev_start), .ld_addr_i(dev_wait.addr),
    .ld_size_i(dev_wait.info.size), .ld_valid_o(dev_load_ready), .ld_error_o(dev_load_error), .ld_data_o(dev_data),
    .ld_take_i(take.device), .idle_o(dev_idle), .device_req_o(out_o.device), .device_ready_i(in_i.device.ready),
    .device_resp_i(in_i.device.resp)
  );

  assign report_o.settled.stores_gone = stores_gone;

  // ---- permission: an AMO is alone, so the two never ask together ----
  assign dev_req = dev_wait.valid && stores_gone && dev_idle && !squash_i.valid;
  assign report_o.asks.nonspec = '{valid: amo_nonspec.valid || dev_req,
                                   rob: amo_nonspec.valid ? amo_nonspec.rob : dev_wait.info.rob};
  assign dev_start = dev_req && !amo_nonspec.valid && com_i.nonspec;

  `include "assert.svh"
  // Until it is urgent (port_wait), and from then on.
  wait_bound #(.Most(64)) u_drain_bound (
    .clk_i, .rst_ni, .wants_i(drain.valid && !take.drain), .counts_i(1'b1)
  );
  wait_bound #(.Most(64)) u_amo_bound (.clk_i, .rst_ni, .wants_i(amo_ask.valid && !take.amo), .counts_i(1'b1));
  wait_bound #(.Most(64)) u_table_bound (
    .clk_i, .rst_ni, .wants_i(table_read.valid && !take.table_), .counts_i(1'b1)
  );
  `ASSERT(NothingInFlush, !tlb_flush_i.walks || (ex_load | ex_store | ex_amo | ex_miss) == '0)
  `ASSERT(UpdateAlone, !(table_i.swap.valid && !stores_gone))
  `ASSERT(OneAsks, !(amo_nonspec.valid && dev_req))
  `ASSERT(AmoAlone, !((amo_done.valid || amo_event.valid) && (m1_load[0] || m1_device_end[0])))
  for (genvar p = 0; p < MemPorts; p++) begin : gen_assert
    `ASSERT(AmoOnPort0, p == 0 || !ex_amo[p])
    /* verilator lint_off UNUSEDSIGNAL */  // of them, whether it is memory
    attributes_t attributes;
    /* verilator lint_on UNUSEDSIGNAL */
    region_check u_region_check (.region_i, .address_i(m1_addr[p]), .attributes_o(attributes));
    `ASSERT(CachedIsMemory, !look_valid[p] || attributes.memory)
  end
endmodule
