// The events of a load, from its first execution to its completion: load_queue, lsu_slots, lsu_load_end and lsu_events
// beside the story of ONE load, which the solver chooses as it executes.
//
// ST_L1 is emitted in each cycle in which it finds no line, ST_LLC when its line has come from beyond the last-level
// cache after that and before it completes, ST_COH when it has come from another hart: the oldest load's in the cycle
// in which the line comes, any load's in its next M1 (with its completion at the latest). Nothing else is emitted under
// its name, and nothing once it is dead.
// What the cache, the store queue, the device and the ports' other users do is free; what goes into the load queue
// keeps the rules that dispatch, commit and squash keep. The first cycle is reset.
module psv_load_proof
  import config_pkg::*;
  import events_pkg::*;
  import core_pkg::*;
  import dcache_pkg::*;
  import lsu_pkg::*;
(
  input logic clk_i,
  input logic watch_i,
  input logic [$clog2(MemPorts+1)-1:0] watch_port_i,
  input squash_t squash_i,
  input logic [CoreWidth-1:0] dis_load_i,
  input logic [CoreWidth-1:0] dis_fire_i,
  input rob_idx_t [CoreWidth-1:0] dis_rob_i,
  input logic [$clog2(CoreWidth+1)-1:0] com_loads_i,
  input logic [MemPorts-1:0] ex_load_i,
  input load_info_t [MemPorts-1:0] ex_info_i,
  input word_t [MemPorts-1:0] ex_addr_i,
  input logic [MemPorts-1:0] ex_exception_i,
  input logic [MemPorts-1:0] ex_device_i,
  // M1
  input logic [MemPorts-1:0] hit_i,
  input logic [MemPorts-1:0] join_i,
  input mshr_t [MemPorts-1:0] miss_id_i,
  input logic full_i,
  input logic [MemPorts-1:0] sq_full_i,
  input logic [MemPorts-1:0] sq_part_i,
  input sq_idx_t [MemPorts-1:0] sq_i,
  input refill_t refill_i,
  input logic free_valid_i,
  input sq_idx_t free_sq_i,
  input logic [MemPorts-1:0] data_i,      // a store's data arrive
  input sq_idx_t [MemPorts-1:0] data_sq_i,
  input logic dev_start_i,
  input logic dev_ready_i,
  // others at the ports
  input logic [MemPorts-1:0] probe_i,
  input logic [7:0] others_i
);
  logic rst_n_q = 1'b0;
  always_ff @(posedge clk_i) rst_n_q <= 1'b1;

  fresh_t fresh [MemPorts];
  load_ask_t ex [MemPorts], pick [MemPorts], dev, dev_ready;
  slot_takes_t take;
  m1_t m1 [MemPorts];
  load_info_t ex_info [MemPorts], m1_info [MemPorts];
  rob_idx_t dis_rob [CoreWidth];
  lq_idx_t dis_lq [CoreWidth];
  logic [CoreWidth-1:0] dis_full;
  logic [MemPorts-1:0] bump, pick_take, m1_load, m1_device_end;
  logic dev_start, dev_busy_q;
  load_result_t result [MemPorts];
  mem_done_t load_done [MemPorts];
  store_search_t no_search [MemPorts];
  store_ex_t store_ex [MemPorts];
  load_met_t met;
  mem_event_t events [MemEvents];

  always_comb begin
    for (int p = 0; p < MemPorts; p++) begin
      no_search[p] = '0;
      store_ex[p] = '0;
      store_ex[p].has_data = data_i[p];
      store_ex[p].sq = data_sq_i[p];
      ex_info[p] = ex_info_i[p];
      fresh[p] = '{load: ex_load_i[p], probe: probe_i[p], addr: ex_addr_i[p], info: ex_info_i[p],
                   exception: ex_exception_i[p], cause: '0, device: ex_device_i[p]};
      ex[p] = '{valid: ex_load_i[p], error: 1'b0, addr: ex_addr_i[p], info: ex_info_i[p]};
      m1_info[p] = m1[p].info;
      m1_load[p] = m1[p].slot == SLOT_LOAD && !killed(squash_i, m1_info[p].rob);
      m1_device_end[p] = m1[p].slot == SLOT_DEVICE && !killed(squash_i, m1_info[p].rob);
    end
    for (int i = 0; i < CoreWidth; i++) dis_rob[i] = dis_rob_i[i];
  end
  assign dev_ready = '{valid: dev_ready_i && dev_busy_q, error: 1'b0, addr: dev.addr, info: dev.info};
  assign dev_start = dev_start_i && dev.valid && !squash_i.valid && !dev_busy_q;

  lsu_slots u_slots (
    .clk_i, .rst_ni(rst_n_q), .squash_i, .fresh_i(fresh), .bump_o(bump), .pick_i(pick), .pick_take_o(pick_take),
    .device_i(dev_ready), .table_i('{valid: others_i[0], urgent: others_i[1], lacks: 1'b0, addr: '0}),
    .drain_i('{valid: others_i[2], urgent: others_i[3], lacks: 1'b0, addr: '0, word: '0, mask: '0}),
    .amo_i('{valid: others_i[4], write: 1'b0, urgent: others_i[7], lacks: 1'b0, addr: '0, word: '0, mask: '0}),
    .prefetch_i('{valid: others_i[5], line: '0}), .take_o(take), .write_block_i(others_i[6]), .m1_o(m1),
    .m1_write_word_o(), .m1_write_mask_o()
  );
  load_queue u_queue (
    .clk_i, .rst_ni(rst_n_q), .squash_i, .dis_load_i, .dis_fire_i, .dis_rob_i(dis_rob), .dis_lq_o(dis_lq),
    .dis_full_o(dis_full), .com_loads_i, .ex_i(ex), .ex_bump_i(bump), .pick_o(pick), .pick_take_i(pick_take),
    .res_i(result), .met_o(met), .refill_i, .keep_i(1'b1),
    .free_i('{valid: free_valid_i, sq: free_sq_i}), .st_ex_i(store_ex), .dev_o(dev),
    .dev_start_i(dev_start), .search_i(no_search), .lost_i('0), .violation_o()
  );
  for (genvar p = 0; p < MemPorts; p++) begin : gen_end
    lsu_load_end u_load_end (
      .load_i(m1_load[p]), .device_end_i(m1_device_end[p]), .exception_i(m1[p].exception), .cause_i('0),
      .device_i(m1[p].device), .addr_i('0), .info_i(m1_info[p]), .sq_full_i(sq_full_i[p]), .sq_part_i(sq_part_i[p]),
      .sq_i(sq_i[p]), .sq_word_i('0), .hit_i(hit_i[p]), .cache_word_i('0), .miss_join_i(join_i[p]),
      .miss_id_i(miss_id_i[p]), .miss_full_i(full_i), .dev_data_i('0), .result_o(result[p]), .done_o(load_done[p])
    );
  end

  lsu_events u_events (
    .tlb_miss_i('0), .tlb_info_i(ex_info), .res_i(result), .res_info_i(m1_info), .met_i(met),
    .amo_i('0), .event_o(events)
  );

  // ---- what goes in ----
  lq_vec_t live, busy, sources, ran_q, leaves;       // ran: it has executed
  logic fair;
  assign live = lq_range(u_queue.head_q, u_queue.tail_q);
  assign busy = u_queue.done_q | u_queue.ready_q | u_queue.miss_q | u_queue.full_q | u_queue.store_q | u_queue.device_q;
  assign sources = u_queue.u_met.llc_q | u_queue.u_met.peer_q;
  function automatic logic is_live(input lq_idx_t name);
    is_live = 32'(name.idx) < LqEntries && live[name.idx] &&
              name.wrap == (u_queue.head_q.wrap ^ (name.idx < u_queue.head_q.idx));
  endfunction
  always_comb begin
    leaves = '0;
    for (int n = 0; n < CoreWidth; n++) if (n < 32'(com_loads_i)) leaves[lq_add(u_queue.head_q, n).idx] = 1'b1;
    fair = 32'(com_loads_i) <= CoreWidth && 32'(com_loads_i) <= lq_used(u_queue.head_q, u_queue.tail_q) &&
           (leaves & ~u_queue.done_q) == '0;
    for (int i = 0; i < CoreWidth; i++) begin
      if (dis_fire_i[i] && (dis_full[i] || squash_i.valid)) fair = 1'b0;
      if (i > 0 && dis_fire_i[i] && !dis_fire_i[i-1]) fair = 1'b0;  // in order
      // A name belongs to one instruction at a time.
      for (int j = 0; j < i; j++) if (dis_rob_i[i] == dis_rob_i[j]) fair = 1'b0;
      for (int k = 0; k < LqEntries; k++) if (live[k] && dis_fire_i[i] && dis_rob_i[i] == u_queue.rob_q[k]) fair = 1'b0;
    end
    for (int p = 0; p < MemPorts; p++)
      if (ex_load_i[p]) begin
        if (!is_live(ex_info_i[p].lq) || ran_q[ex_info_i[p].lq.idx] || killed(squash_i, ex_info_i[p].rob)) fair = 1'b0;
        if (ex_info_i[p].rob != u_queue.rob_q[ex_info_i[p].lq.idx]) fair = 1'b0;
        for (int q = 0; q < p; q++) if (ex_load_i[q] && ex_info_i[q].lq.idx == ex_info_i[p].lq.idx) fair = 1'b0;
      end
    // A squash kills the same ones by their place in the ROB and by their place here; not who acts for good.
    if (squash_i.valid && !squash_i.all) begin
      if (lq_used(u_queue.head_q, squash_i.lq_tail) > lq_used(u_queue.head_q, u_queue.tail_q) ||
          32'(squash_i.lq_tail.idx) >= LqEntries || lq_used(u_queue.head_q, squash_i.lq_tail) < 32'(com_loads_i)) fair =
          1'b0;
      for (int i = 0; i < LqEntries; i++)
        if (live[i] && killed(squash_i, u_queue.rob_q[i]) != lq_range(squash_i.lq_tail, u_queue.tail_q)[i]) fair = 1'b0;
    end
    if (squash_i.valid && squash_i.all && com_loads_i != '0) fair = 1'b0;  // the ROB is empty then: see psv_rob_proof
    if (squash_i.valid && dev_busy_q && killed(squash_i, dev.info.rob)) fair = 1'b0;
  end
  always_ff @(posedge clk_i)
    if (!rst_n_q) begin
      ran_q <= '0;
      dev_busy_q <= 1'b0;
    end else begin
      for (int p = 0; p < MemPorts; p++) if (ex_load_i[p]) ran_q[ex_info_i[p].lq.idx] <= 1'b1;
      for (int i = 0; i < LqEntries; i++) if (u_queue.gone[i]) ran_q[i] <= 1'b0;
      dev_busy_q <= dev_start || (dev_busy_q && !take.device);
    end

  // ---- the story ----
  logic there_q = 1'b0;
  load_info_t load_q;
  line_t line_q;
  logic l1_q, llc_q, peer_q, oldest;
  psv_t in_m1, asleep;  // what must be emitted in this cycle, where it is in flight
  logic here, done, missed, comes, dies;
  int unsigned port;
  always_comb begin
    port = 0;
    here = 1'b0;
    for (int p = 0; p < MemPorts; p++)
      if (there_q && (m1_load[p] || m1_device_end[p]) && m1_info[p].lq.idx == load_q.lq.idx) begin
        port = p;
        here = 1'b1;
      end
    missed = here && m1_load[port] && !load_q.hint && !m1[port].exception && !m1[port].device && !sq_full_i[port] &&
             !sq_part_i[port] && !hit_i[port];
    done = here && load_done[port].valid;
    dies = killed(squash_i, load_q.rob);
    comes = there_q && (l1_q || missed) && refill_i.valid && refill_i.line == line_q;
    oldest = u_queue.head_q.idx == load_q.lq.idx;
    in_m1 = peer_q || (comes && refill_i.peer) ? PsvStCoh : '0;
    in_m1[EvStL1] = missed;
    in_m1[EvStLlc] = llc_q || (comes && refill_i.llc);
    asleep = comes && oldest && refill_i.peer ? PsvStCoh : '0;
    asleep[EvStLlc] = comes && oldest && refill_i.llc;
  end
  // Of all ports: what is emitted under its name, and how often.
  psv_t told;
  int unsigned ports;
  always_comb begin
    told = '0;
    ports = 0;
    for (int e = 0; e < MemEvents; e++)
      if (there_q && events[e].valid && events[e].rob == load_q.rob) begin
        told = told | events[e].psv;
        ports = ports + 1;
      end
  end

  always_ff @(posedge clk_i)
    if (!rst_n_q) there_q <= 1'b0;
    else if (there_q) begin
      if (done || dies) there_q <= 1'b0;
      if (missed) l1_q <= 1'b1;
      if (comes && refill_i.llc) llc_q <= 1'b1;
      if (comes && refill_i.peer) peer_q <= 1'b1;
    end else if (watch_i && 32'(watch_port_i) < MemPorts && ex_load_i[watch_port_i]) begin
      there_q <= 1'b1;
      load_q <= ex_info_i[watch_port_i];
      line_q <= line_of(ex_addr_i[watch_port_i]);
      l1_q <= 1'b0;
      llc_q <= 1'b0;
      peer_q <= 1'b0;
    end

  always_comb begin
    if (rst_n_q) begin
      assume (fair);
`ifdef PROVE_LOAD
      assert (told == (dies ? '0 : here ? in_m1 : asleep));
      assert (ports == (told == '0 ? 0 : 1));
      assert (!done || load_done[port].rob == load_q.rob);
      for (int p = 0; p < MemPorts; p++)  // nobody else speaks in its name
        assert (!there_q || !load_done[p].valid || load_done[p].rob != load_q.rob || (here && p == port));
      // Who is where: what induction needs.
      assert (32'(u_queue.head_q.idx) < LqEntries && 32'(u_queue.tail_q.idx) < LqEntries);
      assert (lq_used(u_queue.head_q, u_queue.tail_q) <= LqEntries);
      assert (((busy | u_queue.u_met.l1_q | sources | ran_q) & ~live) == '0);
      assert (((busy | u_queue.u_met.l1_q | sources) & ~ran_q) == '0);
      for (int p = 0; p < MemPorts; p++)
        if (m1[p].slot == SLOT_LOAD || m1[p].slot == SLOT_DEVICE) begin
          assert (is_live(m1_info[p].lq) && ran_q[m1_info[p].lq.idx] && !busy[m1_info[p].lq.idx]);
          assert (m1_info[p].rob == u_queue.rob_q[m1_info[p].lq.idx]);
          for (int q = 0; q < p; q++)
            assert ((m1[q].slot != SLOT_LOAD && m1[q].slot != SLOT_DEVICE) || m1_info[q].lq.idx != m1_info[p].lq.idx);
          if (dev_busy_q) assert (m1_info[p].lq.idx != u_queue.head_q.idx);
          if (there_q && m1_info[p].lq.idx == load_q.lq.idx) assert (m1_info[p] == load_q);
        end
      for (int i = 0; i < LqEntries; i++)
        for (int j = 0; j < i; j++) assert (!live[i] || !live[j] || u_queue.rob_q[i] != u_queue.rob_q[j]);
      for (int i = 0; i < LqEntries; i++)
        if (ran_q[i]) begin
          assert (32'(u_queue.done_q[i]) + 32'(u_queue.ready_q[i]) + 32'(u_queue.miss_q[i]) + 32'(u_queue.full_q[i]) +
                  32'(u_queue.store_q[i]) + 32'(u_queue.device_q[i]) <= 1);
          assert (32'(u_queue.info_q[i].lq.idx) == i && is_live(u_queue.info_q[i].lq));
          assert (u_queue.info_q[i].rob == u_queue.rob_q[i]);
        end
      if (dev_busy_q) assert (ran_q[u_queue.head_q.idx] && !busy[u_queue.head_q.idx]);
      if (there_q) begin
        assert (is_live(load_q.lq) && ran_q[load_q.lq.idx] && u_queue.info_q[load_q.lq.idx] == load_q);
        assert (!u_queue.done_q[load_q.lq.idx]);
        assert (u_queue.u_met.l1_q[load_q.lq.idx] == l1_q && u_queue.u_met.llc_q[load_q.lq.idx] == llc_q);
        assert (u_queue.u_met.peer_q[load_q.lq.idx] == peer_q);
        assert (line_of(u_queue.addr_q[load_q.lq.idx]) == line_q);
      end
`endif
`ifdef COVER
      cover (done && told == '0 && !l1_q);
      cover (done && l1_q && told == psv_t'(1 << EvStLlc));
      cover (done && l1_q && told == '0);
      cover (missed && told == psv_t'((1 << EvStL1) | (1 << EvStLlc)));
      cover (there_q && !here && oldest && told == psv_t'(1 << EvStLlc));
      cover (there_q && !here && !oldest && comes && refill_i.llc && told == '0);
      // found no MSHR: somebody else has fetched its line
      cover (there_q && u_queue.full_q[load_q.lq.idx] && comes && refill_i.llc);
      cover (done && m1_device_end[port]);
      cover (there_q && l1_q && llc_q && dies);
`endif
    end
  end
endmodule
