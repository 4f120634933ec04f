// Emits to C what happens to every instruction on its way, for the worker that checks ProfileMe's records
// (csrc/workers/inst_lifetimes.c). Read by hierarchical name at its source, not from the units' inputs: fetch at
// the fetch buffer's input, operands and issue at the schedulers' entries and grants.
`define CORE u_tile.u_core
`define DISPATCH `CORE.u_rename_stage.u_dispatch
`define COMMIT `CORE.u_commit_stage
module life_events
  import config_pkg::*;
  import core_pkg::*;
  import dpi_pkg::*;
  import port_pkg::*;
  import instructions_pkg::*;
  import fetch_pkg::*;
;
  // Kinds, as csrc/trace/cycle.h has them; rob: the instruction's; what a and b are.
  typedef enum int {
    LIFE_SQUASH,    // rob, a: 1 everything, else what is younger
    // rob: the slot that it ends in; a: pc; b: its bits 31:0, predicted to leave the packet 32, fetch fault 33
    LIFE_FETCH,
    LIFE_CONFLICT,  // a: resources that the first which does not leave lacks
    LIFE_MAP,       // a: pc; b: vector 15:0, goes through an issue queue 16
    LIFE_READY,     // it can ask to issue from this cycle on
    LIFE_GRANT,     // it reads its registers in the next one
    LIFE_DONE,
    LIFE_ADDRESS,   // a: virtual address
    LIFE_EVENT,     // a: bits of its vector
    LIFE_RESOLVE    // a: target; b: taken 0, mispredicted 1
  } life_e;
  import "DPI-C" function void tipoff_life(input int kind, input int rob, input longint unsigned a,
                                           input longint unsigned b);

  logic wanted;
  initial wanted = 1'(tipoff_options() >> 30);

  // ---- who asks to issue, and did not in the cycle before; who is granted ----
  logic [IntIqEntries-1:0] ints_asked;
  logic [MemIqEntries-1:0] mems_asked;

  `define QUEUE(NAME, PATH, ENTRIES, PORTS) \
    function automatic void emit_``NAME(); \
      logic [ENTRIES-1:0] asks; \
      asks = PATH.valid_q & PATH.ready1_q & (PATH.ready2_q | (PATH.split_q & ~PATH.begun_q)) & PATH.ready3; \
      for (int i = 0; i < ENTRIES; i++) \
        if (asks[i] && !NAME``_asked[i]) tipoff_life(LIFE_READY, int'(PATH.rob_q[i]), 0, 0); \
      NAME``_asked <= asks & ~PATH.gone; \
      for (int p = 0; p < PORTS; p++) \
        if (PATH.grant_o[p] && !PATH.grant_killed_o[p]) \
          tipoff_life(LIFE_GRANT, int'(PATH.rob_q[PATH.grant_slot_o[p]]), 0, 0); \
    endfunction
  `QUEUE(ints, `CORE.u_int_cluster.u_int_queue.u_queue.u_scheduler, IntIqEntries, IntPorts)
  `QUEUE(mems, `CORE.u_mem_queue.u_queue.u_scheduler, MemIqEntries, MemPorts)
  if (HasFp) begin : gen_fp
    logic [FpIqEntries-1:0] fps_asked;
    `QUEUE(fps, `CORE.u_fp_cluster.gen_fp.u_fp_queue.u_queue.u_scheduler, FpIqEntries, FpArrays)
  end else begin : gen_fp
    function automatic void emit_fps();
    endfunction
  end

  function automatic void emit_fetch();
    for (int s = 0; s < FetchWidth; s++)
      if (`CORE.u_frontend.push && `CORE.u_frontend.push_slots[s])
        tipoff_life(LIFE_FETCH, s, {`CORE.u_frontend.f2_at_q.block, slot_t'(s), 1'b0} -
                    (`CORE.u_frontend.push_rvc[s] ? 64'd0 : 64'd2),
                    {30'd0, `CORE.u_frontend.f2_fault_q, `CORE.u_frontend.push_taken[s],
                     `CORE.u_frontend.push_insn[s]});
  endfunction

  function automatic void emit_map();
    int n;
    logic [8:0] lacks;
    n = int'(`DISPATCH.count);
    if (!`DISPATCH.squash_i && !`DISPATCH.hold_i && n < CoreWidth && `DISPATCH.valid_i[LaneBits'(n)]) begin
      lacks = '0;
      lacks[0] = n >= 32'(`DISPATCH.rob_room_i.free);
      lacks[1] = `DISPATCH.full_i.ints[LaneBits'(n)];
      lacks[2] = `DISPATCH.full_i.mems[LaneBits'(n)];
      lacks[3] = `DISPATCH.full_i.fps[LaneBits'(n)];
      lacks[4] = `DISPATCH.full_i.loads[LaneBits'(n)];
      lacks[5] = `DISPATCH.full_i.stores[LaneBits'(n)];
      lacks[6] = `DISPATCH.pd_empty_i[LaneBits'(n)];
      lacks[7] = `DISPATCH.snap_full_i[LaneBits'(n)];
      lacks[8] = `DISPATCH.serial_busy_i || (`DISPATCH.uop_i[LaneBits'(n)].serial &&
                                             (n != 0 || !`DISPATCH.rob_room_i.empty)) ||
                 (n != 0 && `DISPATCH.uop_i[LaneBits'(n - 1)].serial);
      if (lacks != '0) tipoff_life(LIFE_CONFLICT, 0, 64'(lacks), 0);
    end
    for (int i = 0; i < CoreWidth; i++)
      if (`CORE.dis.fire[i])
        tipoff_life(LIFE_MAP, int'(`CORE.place[i].rob), `CORE.dec_pc[i],
                    {47'd0, `CORE.want.ints[i] || `CORE.want.mems[i] || `CORE.want.fps[i], 16'(`COMMIT.entry[i].psv)});
  endfunction

  // Between the monitor's opening and closing of a cycle.
  function automatic void emit();
    for (int p = 0; p < MemPorts; p++)
      if (`CORE.mem_ex[p].valid && `CORE.mem_ex[p].part != PART_DATA)
        tipoff_life(LIFE_ADDRESS, int'(`CORE.mem_ex[p].rob),
                    `CORE.mem_ex[p].base + {{52{`CORE.mem_ex[p].imm[11]}}, `CORE.mem_ex[p].imm}, 0);
    for (int p = 0; p < MemEvents; p++)
      if (`CORE.mem_event[p].valid)
        tipoff_life(LIFE_EVENT, int'(`CORE.mem_event[p].rob), 64'(`CORE.mem_event[p].psv), 0);
    for (int p = 0; p < BranchPorts; p++)
      if (`CORE.resolve[p].valid)
        tipoff_life(LIFE_RESOLVE, int'(`CORE.resolve[p].rob), `CORE.resolve[p].target,
                    {62'd0, `CORE.resolve[p].mispredict, `CORE.resolve[p].taken});
    emit_ints();
    emit_mems();
    gen_fp.emit_fps();
    for (int d = 0; d < Dones; d++) if (`COMMIT.done[d]) tipoff_life(LIFE_DONE, int'(`COMMIT.done_rob[d]), 0, 0);
    if (`CORE.squash.valid) tipoff_life(LIFE_SQUASH, int'(`CORE.squash.rob), 64'(`CORE.squash.all), 0);
    emit_map();
    emit_fetch();
  endfunction
endmodule
`undef CORE
`undef DISPATCH
`undef COMMIT
`undef QUEUE
