// What happens in a cycle, by event number (tables/pmu_events.tsv): the programmable counters add it up.
//
// Combinational, from the commit bundle: hits_o has a bit for each lane that the event happens in, and one beside the
// lanes for what happens once in a cycle. Only the hits of wanted_i need be right, the others are 0: what nobody counts
// costs nothing. An instruction counts with its first micro-op. The vector of an instruction is counted when it leaves
// the ROB, lane by lane; the oldest one's also when it leaves by an exception or a replay. What becomes of the slots of
// dispatch says pmu_slots, from registers of its own. What other harts do comes beside the bundle: each event of it
// happens once in a cycle at most.
module pmu_events
  import config_pkg::*;
  import events_pkg::*;
  import records_pkg::*;
  import profile_pkg::coherence_t;
(
  input  logic                   clk_i,   // for what the slots of dispatch remember
  input  logic                   rst_ni,
  /* verilator lint_off UNUSEDSIGNAL */  // one record for all observers; this one reads what leaves the ROB
  input  commit_bundle_t         bundle_i,
  /* verilator lint_on UNUSEDSIGNAL */
  input  coherence_t             coherence_i,
  input  state_e                 state_i,
  input  logic [PmuEvents-1:0]   wanted_i,
  output logic [CoreWidth:0]     hits_o [PmuEvents]
);
  // Control transfers: branch, jalr, jal; c.j, c.beqz, c.bnez; c.jr, c.jalr (not c.ebreak, whose rs1 is 0).
  /* verilator lint_off UNUSEDSIGNAL */  // which ones do not ask about other bits
  function automatic logic transfers(input logic [15:0] insn);
  /* verilator lint_on UNUSEDSIGNAL */
    case (insn[1:0])
      2'b11: transfers = insn[6:2] == 5'b11000 || insn[6:2] == 5'b11001 || insn[6:2] == 5'b11011;
      2'b01: transfers = insn[15:13] == 3'b101 || insn[15:13] == 3'b110 || insn[15:13] == 3'b111;
      2'b10: transfers = insn[15:13] == 3'b100 && insn[6:2] == '0 && insn[11:7] != '0;
      default: transfers = 1'b0;
    endcase
  endfunction

  typedef logic [CoreWidth:0] hits_t;

  function automatic hits_t transfers_among(input logic [CoreWidth-1:0] lanes);
    transfers_among = '0;
    for (int lane = 0; lane < CoreWidth; lane++)
      transfers_among[lane] = lanes[lane] && transfers(bundle_i.insn[lane][15:0]);
  endfunction

  // The lanes that leave with bit e of their vector.
  function automatic hits_t leaving_with(input logic [3:0] e);
    leaving_with[CoreWidth] = bundle_i.exception && bundle_i.exception_psv[e];
    for (int i = 0; i < CoreWidth; i++) leaving_with[i] = bundle_i.commit[i] && bundle_i.psv[i][e];
  endfunction

  function automatic hits_t once(input logic happens);
    once = {happens, CoreWidth'(0)};
  endfunction

  // What the slots of dispatch are used for.
  localparam logic [PmuEvents-1:0] OfSlots = PmuEvents'(1) << PmuDispatched | PmuEvents'(1) << PmuFetchLatency |
                                             PmuEvents'(1) << PmuFetchBandwidth | PmuEvents'(1) << PmuMemoryBound |
                                             PmuEvents'(1) << PmuRecoveryBranch | PmuEvents'(1) << PmuRecoveryClear |
                                             PmuEvents'(1) << PmuBranchRedirects | PmuEvents'(1) << PmuClears;
  logic slots, branch_redirect, clear;
  logic [CoreWidth-1:0] dispatched, latency, bandwidth, memory, recovery_branch, recovery_clear;
  assign slots = (wanted_i & OfSlots) != '0;
  pmu_slots u_pmu_slots (
    .clk_i(clk_i), .rst_ni(rst_ni), .bundle_i(bundle_i), .wanted_i(slots), .dispatched_o(dispatched),
    .latency_o(latency), .bandwidth_o(bandwidth), .memory_o(memory), .recovery_branch_o(recovery_branch),
    .recovery_clear_o(recovery_clear), .branch_redirect_o(branch_redirect), .clear_o(clear)
  );

  logic commits, raises;
  assign commits = bundle_i.commit != '0;
  assign raises = bundle_i.exception;

  /* verilator lint_off UNUSEDSIGNAL */  // without harts.coherent; triggers' events are pmu's
  logic [63-PmuKeyed:0] keyed;
  /* verilator lint_on UNUSEDSIGNAL */
  always_comb begin
    keyed = '0;
    keyed[PmuSnoops-PmuKeyed] = coherence_i.snoop;
    keyed[PmuSnoopsHit-PmuKeyed] = coherence_i.snoop_hit;
    keyed[PmuLinesLost-PmuKeyed] = coherence_i.line_lost;
    keyed[PmuUpgrades-PmuKeyed] = coherence_i.upgrade;
    keyed[PmuPrefetchesRefused-PmuKeyed] = coherence_i.refused;
    keyed[PmuHubWaits-PmuKeyed] = coherence_i.waits && !commits;
    keyed[PmuReplaysOrder-PmuKeyed] = coherence_i.replay_order;
    keyed[PmuReplaysSnoop-PmuKeyed] = coherence_i.replay_snoop;
    keyed[PmuReplaysPage-PmuKeyed] = coherence_i.replay_page;
  end

  always_comb begin
    for (int e = 0; e < PmuEvents; e++) hits_o[e] = '0;
    hits_o[PmuCycles] = once(1'b1);
    if (commits && wanted_i[PmuInstructions]) hits_o[PmuInstructions] = {1'b0, bundle_i.commit & bundle_i.first};
    if (wanted_i[PmuEvents-1:PmuComputing] != '0) begin
      hits_o[PmuComputing] = once(state_i == STATE_COMPUTING);
      hits_o[PmuStalled] = once(state_i == STATE_STALLED);
      hits_o[PmuFlushed] = once(state_i == STATE_FLUSHED);
      hits_o[PmuDrained] = once(state_i == STATE_DRAINED);
      hits_o[PmuExceptions] = once(raises && !bundle_i.interrupt && !bundle_i.replay);
      hits_o[PmuInterrupts] = once(raises && bundle_i.interrupt);
      if (commits && wanted_i[PmuFlushes]) hits_o[PmuFlushes] = {1'b0, bundle_i.commit & bundle_i.flush};
      if (commits && wanted_i[PmuBranches]) hits_o[PmuBranches] = transfers_among(bundle_i.commit);
      if (commits || raises) begin
        for (int unsigned e = 0; e < PsvBits; e++) begin
          if (wanted_i[PmuTea+e]) hits_o[PmuTea+e] = leaving_with(4'(e));
        end
      end
    end
    if (slots) begin
      hits_o[PmuDispatched] = {1'b0, dispatched};
      hits_o[PmuFetchLatency] = {1'b0, latency};
      hits_o[PmuFetchBandwidth] = {1'b0, bandwidth};
      hits_o[PmuMemoryBound] = {1'b0, memory};
      hits_o[PmuRecoveryBranch] = {1'b0, recovery_branch};
      hits_o[PmuRecoveryClear] = {1'b0, recovery_clear};
      hits_o[PmuBranchRedirects] = once(branch_redirect);
      hits_o[PmuClears] = once(clear);
    end
    if (PmuEvents > PmuKeyed)
      for (int e = PmuKeyed; e < PmuEvents; e++) if (wanted_i[e]) hits_o[e] = once(keyed[e-PmuKeyed]);
  end
endmodule
