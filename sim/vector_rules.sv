// The vectors that instructions leave with, kept a second time: bound to the core in every simulation.
//
//   dispatch   what the front end and dispatch met (its DR_SQ is compared with the store queue by dr_sq_rules)
//   ST_TLB     a lookup of the data TLB that found nothing
//   ST_L1      a lookup of the L1 for a load, or for an AMO's read or write, that found nothing
//   ST_LLC     ... and then its line came, which memory had reported as a miss of the last-level cache
//   ST_COH     ... which another hart had to give, as the hub has reported
//
// Where the L1 has the line, but shared, an AMO meets no ST_L1, nor until the line has come: its copy is gone
// meanwhile.
//
// They are noted where it happens, by the ROB entry of the instruction, not as the load/store unit reports them to
// the ROB, and compared with what leaves: commits, exceptions, interrupts and replays. The FL_* are lockstep's, but it
// does not know whether FL_COH is due. A load that is not the oldest as its line comes reports its ST_LLC and ST_COH
// when it looks the line up again: an interrupt may come first.
//
// Where vectors are kept only while somebody reads them (profile.vector_window), an instruction is whole if they were
// kept in every cycle from its dispatch on: noted by its place, not by numbers of the oldest as vector_gate does. Who
// is not whole shows nothing that it has not met. vector_gate must report of each cycle just whether the oldest is
// whole, and the last that left was; and what is not kept is 0.
`include "assert.svh"
module vector_rules
  import config_pkg::*;
  import events_pkg::*;
  import records_pkg::*;
  import core_pkg::*;
  import line_pkg::*;
  import rob_pkg::*;
  import dcache_pkg::*;
  import lsu_pkg::*;
(
  input logic clk_i,
  input logic rst_ni,
  input squash_t squash_i,
  // dispatch
  input logic [CoreWidth-1:0] fire_i,
  input rob_idx_t [CoreWidth-1:0] rob_i,
  input rob_entry_t entry_i [CoreWidth],
  // EX
  input logic [MemPorts-1:0] tlb_look_i,
  input logic [MemPorts-1:0] tlb_hit_i,
  input load_info_t ex_info_i [MemPorts],
  // M1
  input slot_e slot_i [MemPorts],
  input logic [MemPorts-1:0] load_i,     // a load that looks its address up
  input logic [MemPorts-1:0] stored_i,   // ... and an older store has its data
  input load_info_t info_i [MemPorts],
  input rob_ref_t amo_i,                 // that an AMO's read or write is for; a table entry's are for nobody
  input word_t addr_i [MemPorts],
  input logic [MemPorts-1:0] hit_i,
  input logic [MemPorts-1:0] upgrade_i,  // the line is here, but shared, and who looks needs to own it
  input logic [MemPorts-1:0] join_i,     // ... and it has been asked for
  input mem_done_t done_i [MemPorts],
  // memory
  input hub_pkg::hub_answer_t resp_i,
  input logic refill_i,
  input mshr_t refill_id_i,
  input line_t refill_line_i,
  // who keeps vectors
  input logic keep_i,
  input profile_pkg::stale_t stale_i,
  input psv_t kept_i [RobEntries],
  // what leaves
  input rob_idx_t head_i,
  input commit_bundle_t bundle_i
);
  localparam psv_t Flushes = psv_t'(1 << EvFlMb | 1 << EvFlEx | 1 << EvFlMo) | PsvFlCoh;

  // By place in the ROB.
  psv_t dispatched_q [RobEntries];        // what it came with
  line_t line_q [RobEntries];             // of the last miss
  logic [RobEntries-1:0] tlb_q, l1_q, llc_q, coh_q;
  logic [RobEntries-1:0] waits_q;         // has missed the L1, or had to own a line, and is not done
  logic [RobEntries-1:0] upgrades_q;      // its shared copy has gone, and the line has not come
  logic [DcMshrs-1:0] dram_q, peer_q;     // as memory and hub said with the line

  logic [MemPorts-1:0] tlb_miss, lacks, miss;
  rob_idx_t who [MemPorts];
  always_comb
    for (int p = 0; p < MemPorts; p++) begin
      automatic logic amo = p == 0 && (slot_i[p] == SLOT_AMO_READ || slot_i[p] == SLOT_AMO_WRITE) && amo_i.valid;
      who[p] = amo ? amo_i.rob : info_i[p].rob;
      tlb_miss[p] = tlb_look_i[p] && !tlb_hit_i[p];
      lacks[p] = (amo || (load_i[p] && !stored_i[p] && !info_i[p].hint)) && !hit_i[p] && !killed(squash_i, who[p]);
      miss[p] = lacks[p] && !upgrade_i[p] && !upgrades_q[who[p].idx];
    end

  logic [RobEntries-1:0] fresh, tlb_set, l1_set, llc_set, coh_set, waits_set, upgrades_set, arrives, done;
  always_comb begin
    fresh = '0;
    tlb_set = '0;
    l1_set = '0;
    waits_set = '0;
    upgrades_set = '0;
    arrives = '0;
    done = '0;
    for (int i = 0; i < CoreWidth; i++) if (fire_i[i]) fresh[rob_i[i].idx] = 1'b1;
    for (int p = 0; p < MemPorts; p++) begin
      if (tlb_miss[p]) tlb_set[ex_info_i[p].rob.idx] = 1'b1;
      if (done_i[p].valid) done[done_i[p].rob.idx] = 1'b1;
      if (miss[p]) l1_set[who[p].idx] = 1'b1;
      if (lacks[p]) waits_set[who[p].idx] = 1'b1;
      if (lacks[p] && upgrade_i[p] && join_i[p]) upgrades_set[who[p].idx] = 1'b1;
      // The line may come in the very cycle of the miss.
      if (lacks[p] && refill_i && line_of(addr_i[p]) == refill_line_i) arrives[who[p].idx] = 1'b1;
    end
    for (int i = 0; i < RobEntries; i++)
      if (refill_i && waits_q[i] && line_q[i] == refill_line_i) arrives[i] = 1'b1;
    llc_set = dram_q[refill_id_i] ? arrives : '0;
    coh_set = peer_q[refill_id_i] ? arrives : '0;
  end

  always_ff @(posedge clk_i) begin
    if (resp_i.valid) dram_q[mshr_t'(resp_i.id)] <= resp_i.llc_miss && !resp_i.refused;
    if (resp_i.valid) peer_q[mshr_t'(resp_i.id)] <= resp_i.peer && !resp_i.refused;
    for (int p = 0; p < MemPorts; p++) if (lacks[p]) line_q[who[p].idx] <= line_of(addr_i[p]);
    for (int i = 0; i < CoreWidth; i++) if (fire_i[i]) dispatched_q[rob_i[i].idx] <= entry_i[i].psv;
    tlb_q <= (tlb_q | tlb_set) & ~fresh;
    l1_q <= (l1_q | l1_set) & ~fresh;
    llc_q <= (llc_q | llc_set) & ~fresh;
    coh_q <= (coh_q | coh_set) & ~fresh;
    waits_q <= rst_ni ? (waits_q | waits_set) & ~done & ~fresh : '0;
    upgrades_q <= rst_ni ? (upgrades_q & ~arrives | upgrades_set) & ~fresh : '0;
  end

  function automatic psv_t met(input logic [$clog2(RobEntries)-1:0] at);
    met = dispatched_q[at] | (coh_q[at] ? PsvStCoh : '0);
    met[EvStTlb] = tlb_q[at];
    met[EvStL1] = l1_q[at];
    met[EvStLlc] = llc_q[at];
  endfunction

  logic [RobEntries-1:0] whole_q, holds;
  logic kept_q, offended_q;  // offended: the last that left was not whole
  always_comb for (int i = 0; i < RobEntries; i++) holds[i] = VectorWindow != 0 && kept_i[i] != '0;
  always_ff @(posedge clk_i) begin
    whole_q <= keep_i ? whole_q | fresh : '0;
    kept_q <= keep_i || !rst_ni;
  end

  // What an instruction shows beside what it has met, and shows not.
  function automatic logic differs(input psv_t shown, input psv_t has_met, input psv_t open, input logic whole);
    differs = ((whole ? shown ^ has_met : shown & ~has_met) & ~Flushes & ~open) != '0;
  endfunction

  logic [CoreWidth-1:0] wrong;
  logic raised_wrong, last_whole;
  psv_t pending;
  assign pending = waits_q[head_i.idx] ? psv_t'(1 << EvStLlc) | PsvStCoh : '0;
  always_comb begin
    automatic int unsigned lane = 32'(bundle_i.oldest);
    wrong = '0;
    last_whole = 1'b1;
    for (int k = 0; k < CoreWidth; k++) begin
      /* verilator lint_off UNUSEDSIGNAL */  // the wrap bit
      automatic rob_idx_t entry = rob_add(head_i, k);
      /* verilator lint_on UNUSEDSIGNAL */
      if (bundle_i.commit[LaneBits'(lane)]) begin
        last_whole = keep_i && whole_q[entry.idx];
        wrong[k] = differs(bundle_i.psv[LaneBits'(lane)], met(entry.idx), '0, last_whole);
      end
      lane = (lane == CoreWidth - 1) ? 0 : lane + 1;
    end
    raised_wrong = bundle_i.exception && differs(bundle_i.exception_psv, met(head_i.idx), pending,
                                                 keep_i && whole_q[head_i.idx]);
  end
  always_ff @(posedge clk_i) begin
    if (!rst_ni) offended_q <= 1'b0;
    else if (bundle_i.exception) offended_q <= !(keep_i && whole_q[head_i.idx]);
    else if (bundle_i.commit != '0) offended_q <= !last_whole;
  end

  `ASSERT(CommitsWithWhatItMet, Vectors == 0 || wrong == '0)
  `ASSERT(RaisesWithWhatItMet, Vectors == 0 || !raised_wrong)
  `ASSERT(StaleIfNotWhole, VectorWindow == 0 || bundle_i.rob_empty ||
          stale_i.oldest == !(keep_i && whole_q[head_i.idx]))
  `ASSERT(OffenderIsTold, stale_i.offender == (VectorWindow != 0 && offended_q))
  `ASSERT(RestsWhileShut, kept_q || holds == '0)
endmodule
