// ST_TLB, from the lookup to the execution: lsu_ex, lsu_tlb_wait and lsu_events beside the story of ONE memory
// instruction, which the solver chooses as it comes from the issue queue.
//
// If its lookup misses, the event is emitted in that cycle, before any walk; never again, nor for one that executes at
// once. Lookups, walks and squashes are free. An instruction comes once, and while there is room; a store may come with
// its address alone, and its data by themselves at any time after: they look nothing up and get nothing of. The
// first cycle is reset.
module psv_tlb_proof
  import config_pkg::*;
  import instructions_pkg::*;
  import events_pkg::*;
  import core_pkg::*;
  import mmu_pkg::*;
  import lsu_pkg::*;
(
  input logic clk_i,
  input logic watch_i,
  input logic [$clog2(MemPorts+1)-1:0] watch_port_i,
  input squash_t squash_i,
  input priv_e priv_i,
  input logic sv39_i,
  input logic tlb_flush_i,               // of walks: entries are the stub's matter
  input logic [MemPorts-1:0] valid_i,
  input unit_e [MemPorts-1:0] unit_i,
  input op_e [MemPorts-1:0] op_i,
  input rob_idx_t [MemPorts-1:0] rob_i,
  input mem_part_e [MemPorts-1:0] part_i,
  input logic [MemPorts-1:0][4:0] page_i,
  input logic [MemPorts-1:0] free_hit_i,  // the TLB's: psv_tlb_stubs
  input logic walk_ready_i,
  input walk_resp_t walk_resp_i
);
  logic rst_n_q = 1'b0;
  always_ff @(posedge clk_i) rst_n_q <= 1'b1;

  vm_t vm;
  pmp_region_t pmp [PmpRegions];
  region_t region [Regions];
  mem_uop_t in [MemPorts], out [MemPorts];
  logic [MemPorts-1:0] hold, load, store, data, amo, miss, executes, device, exception;
  word_t addr [MemPorts];
  load_info_t info [MemPorts];
  cause_t cause [MemPorts];
  walk_req_t walk_req;

  always_comb begin
    vm = '0;
    vm.sv39 = sv39_i;
    vm.data_priv = priv_i;
    for (int r = 0; r < PmpRegions; r++) pmp[r] = '0;
    for (int r = 0; r < Regions; r++) region[r] = '0;
    for (int p = 0; p < MemPorts; p++) begin
      in[p] = '0;
      in[p].valid = valid_i[p];
      in[p].unit = unit_i[p];
      in[p].op = op_i[p];
      in[p].rob = rob_i[p];
      in[p].part = part_i[p];
      in[p].base = {47'd0, page_i[p], 12'd0};
    end
  end

  lsu_ex u_ex (
    .clk_i, .rst_ni(rst_n_q), .squash_i, .vm_i(vm), .pmp_i(pmp), .region_i(region),
    .tlb_flush_i('{walks: tlb_flush_i, entries: tlb_flush_i, default: '0}), .uop_i(in), .hold_o(hold),
    .walk_req_o(walk_req), .walk_ready_i, .walk_resp_i, .uop_o(out), .miss_o(miss), .load_o(load), .store_o(store),
    .data_o(data), .amo_o(amo), .va_o(), .addr_o(addr), .info_o(info), .device_o(device), .exception_o(exception),
    .cause_o(cause)
  );
  assign executes = load | store | amo;

  load_result_t no_result [MemPorts];
  mem_event_t events [MemEvents];
  always_comb for (int p = 0; p < MemPorts; p++) no_result[p] = '0;
  lsu_events u_events (
    .tlb_miss_i(miss), .tlb_info_i(info), .res_i(no_result), .res_info_i(info), .met_i('0),
    .amo_i('0), .event_o(events)
  );

  // ---- what comes ----
  logic fair;
  logic [WaitEntries-1:0] free;
  assign free = ~u_ex.u_tlb_wait.valid_q;
  always_comb begin
    fair = 1'b1;
    for (int p = 0; p < MemPorts; p++)
      if (valid_i[p]) begin
        if (free == '0 || (MemPorts > 1 && $countones(free) < MemPorts)) fair = 1'b0;
        if (unit_i[p] != UNIT_LOAD && unit_i[p] != UNIT_STORE && unit_i[p] != UNIT_AMO) fair = 1'b0;
        for (int q = 0; q < p; q++) if (valid_i[q] && rob_i[q] == rob_i[p]) fair = 1'b0;
        if (part_i[p] != PART_ALL && (unit_i[p] != UNIT_STORE || (part_i[p] != PART_ADDR && part_i[p] != PART_DATA)))
          fair = 1'b0;
        for (int i = 0; i < WaitEntries; i++)
          if (u_ex.u_tlb_wait.valid_q[i] && u_ex.u_tlb_wait.uop_q[i].rob == rob_i[p] && part_i[p] != PART_DATA)
            fair = 1'b0;
      end
  end

  // ---- the story ----
  logic there_q = 1'b0;            // it has missed, and waits
  rob_idx_t rob_q;
  unit_e unit_q;
  logic watched, back;
  int unsigned port;
  assign watched = !there_q && watch_i && 32'(watch_port_i) < MemPorts && valid_i[watch_port_i] &&
                   part_i[watch_port_i] != PART_DATA &&
                   !killed(squash_i, rob_i[watch_port_i]);
  always_comb begin
    back = 1'b0;
    port = 0;
    for (int p = 0; p < MemPorts; p++)
      if (there_q && executes[p] && info[p].rob == rob_q) begin
        back = 1'b1;
        port = p;
      end
  end
  always_ff @(posedge clk_i)
    if (!rst_n_q) there_q <= 1'b0;
    else if (there_q) begin
      if (back || killed(squash_i, rob_q)) there_q <= 1'b0;
    end else if (watched) begin
      there_q <= !executes[watch_port_i];
      rob_q <= rob_i[watch_port_i];
      unit_q <= unit_i[watch_port_i];
    end

  // What is emitted under the name of the watched one.
  logic told;
  psv_t told_psv;
  rob_idx_t name;
  assign name = there_q ? rob_q : rob_i[watch_port_i];
  always_comb begin
    told = 1'b0;
    told_psv = '0;
    for (int e = 0; e < MemEvents; e++)
      if (events[e].valid && events[e].rob == name) begin
        told = 1'b1;
        told_psv = told_psv | events[e].psv;
      end
  end

  logic [WaitEntries-1:0] holders;
  always_comb
    for (int i = 0; i < WaitEntries; i++)
      holders[i] = u_ex.u_tlb_wait.valid_q[i] && u_ex.u_tlb_wait.uop_q[i].rob == rob_q;

  always_comb begin
    if (rst_n_q) begin
      assume (fair);
`ifdef PROVE_TLB
      // At once, without the bit, as what it is; a miss is a lookup of its own that did not hit, and is emitted in its
      // cycle.
      if (watched && executes[watch_port_i]) assert (info[watch_port_i].rob == rob_i[watch_port_i] && !told);
      if (watched && !executes[watch_port_i])
        assert (sv39_i && priv_i != PRIV_M && !free_hit_i[watch_port_i] && told && told_psv == psv_t'(1 << EvStTlb));
      // Later it is not emitted again.
      if (there_q) assert (!told);
      if (back) assert (port == 0 && out[port].unit == unit_q && !killed(squash_i, rob_q));
      for (int p = 0; p < MemPorts; p++)
        assert (!there_q || !out[p].valid || out[p].rob != rob_q || out[p].part == PART_DATA ||
                killed(squash_i, rob_q) || (back && p == port));
      // It waits in one place: what induction needs.
      assert (!there_q || (holders != '0 && (holders & (holders - 1'b1)) == '0));
      assert (!u_ex.u_tlb_wait.again_q || (u_ex.u_tlb_wait.valid_q[u_ex.u_tlb_wait.again_idx_q] &&
              u_ex.u_tlb_wait.again_uop_q == u_ex.u_tlb_wait.uop_q[u_ex.u_tlb_wait.again_idx_q]));
      for (int i = 0; i < WaitEntries; i++)
        if (u_ex.u_tlb_wait.valid_q[i]) begin
          assert (u_ex.u_tlb_wait.uop_q[i].valid && u_ex.u_tlb_wait.uop_q[i].part != PART_DATA);
          if (there_q && u_ex.u_tlb_wait.uop_q[i].rob == rob_q) assert (u_ex.u_tlb_wait.uop_q[i].unit == unit_q);
          assert (u_ex.u_tlb_wait.uop_q[i].unit == UNIT_LOAD || u_ex.u_tlb_wait.uop_q[i].unit == UNIT_STORE ||
                  u_ex.u_tlb_wait.uop_q[i].unit == UNIT_AMO);
        end
`endif
`ifdef COVER
      // Narrower inputs, which is quicker: what they reach can be reached. That it comes back is four cycles
      // on, too far for the solver: tests/unit/rtl/lsu_tlb_wait shows that.
      assume (sv39_i && priv_i == PRIV_S && !tlb_flush_i && watch_i && page_i[0] == '0 && rob_i[0] == '0);
      cover (watched && executes[watch_port_i] && sv39_i);
      cover (there_q && data[0] && info[0].rob == rob_q && !told);
      cover (there_q && amo == '0 && unit_q == UNIT_AMO && killed(squash_i, rob_q));
`endif
    end
  end
endmodule
