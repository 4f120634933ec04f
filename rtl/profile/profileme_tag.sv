// One set of profile registers: follows the picked instruction from fetch until it retires or dies, and keeps what it
// lives through.
//
//   IDLE --pick--> FRONT --map--> OPERANDS --ready--> QUEUED --reads registers--> EXECUTES --done--> DONE --retires-->
//   FULL --clear--> IDLE
//                    '---------------'------ dies ------'---------------'------------'-------------------------------^
//
// The tag is the instruction's place: in FRONT how many instructions are ahead of it, from map on its place in the ROB.
// Every latency is the difference of two cycles: that of fetch (its packet goes into the fetch buffer), map (it leaves
// the decode registers), ready (the first in which its operands let it ask), issue (it reads its registers), done, and
// the one in which it leaves. Each is 1 at least; without an issue queue map, ready and issue are one cycle. A store
// that issues in two parts issues with the first, and its operands are those of its address.
module profileme_tag
  import config_pkg::*;
  import events_pkg::*;
  import core_pkg::*;
  import port_pkg::*;
  import fetch_pkg::*;
  import rob_pkg::*;
  import dispatch_pkg::*;
  import life_pkg::*;
  import instruction_sample_pkg::*;
  import profileme_pkg::*;
#(
  parameter logic [1:0] Number = 0
) (
  input  logic       clk_i,
  input  logic       rst_ni,
  input  logic       clear_i,        // what is held has been taken, or nobody wants it
  input  logic       pair_i,
  input  pick_t      pick_i,
  input  latency_t   distance_i,     // with a pick: cycles since the first of the pair was fetched
  // map
  input  dispatch_t  dis_i,
  input  life_lane_t lane_i [CoreWidth],
  input  conflict_t  conflict_i,
  // operands, execution
  input  wake_t      wake_i [Wakes],
  input  rob_ref_t   issue_i [Issues],
  input  addressed_t [MemPorts-1:0] addressed_i,
  input  mem_event_t event_i [MemEvents],
  input  resolve_t   resolve_i [BranchPorts],
  input  rob_ref_t   done_i [Dones],
  // retirement, death
  input  leaving_t   leaving_i,
  input  rob_idx_t [CoreWidth-1:0] place_i,  // from the head on
  input  outcome_e   outcome_i,      // of what this cycle's squash kills
  output logic       idle_o,
  output logic       full_o,         // it has left
  output instruction_sample_t sample_o
);
  typedef enum logic [2:0] { IDLE, FRONT, OPERANDS, QUEUED, EXECUTES, DONE, FULL } state_e;

  // ---- what is kept ----
  state_e state_q;
  /* verilator lint_off UNUSEDSIGNAL */  // state_q has its valid bit
  pick_t at_q;
  /* verilator lint_on UNUSEDSIGNAL */
  rob_idx_t rob_q;
  preg_t ps_q [3];
  logic [2:0] ready_q;
  type_e type_q;
  logic returns_q, unqueued_q, pair_q, addressed_q, resolved_q, taken_q, mispredicted_q, own_q;
  psv_t psv_q;
  conflict_t conflicts_q;
  latency_t dispatch_q, operands_q, contention_q, execution_q, retire_wait_q, oldest_q, distance_q;
  latency_t issue_q, total_q;  // operands_q and contention_q; all of them: counted, because sums would be long ways
  word_t addr_q;
  logic [2:0] stage_q;
  outcome_e outcome_q;
  cause_t cause_q;

  // ---- what happens to it in this cycle ----
  logic mapped, fires, killed, raised, retires, head, issues, done, leaves;
  life_lane_t lane;
  assign mapped = state_q == OPERANDS || state_q == QUEUED || state_q == EXECUTES || state_q == DONE;
  assign fires = state_q == FRONT && ahead_t'(dis_i.count) > at_q.ahead;
  assign head = mapped && leaving_i.head_valid && place_i[0] == rob_q;
  assign raised = head && leaving_i.raises;
  assign killed = leaving_i.squash && (state_q == FRONT ||
                  (mapped && (leaving_i.all || rob_older(leaving_i.youngest, rob_q))));
  assign leaves = raised || killed || retires;

  always_comb begin
    lane = lane_i[0];
    if (state_q == FRONT) for (int i = 1; i < CoreWidth; i++) if (at_q.ahead == ahead_t'(i)) lane = lane_i[i];
    retires = 1'b0;
    issues = 1'b0;
    done = 1'b0;
    if (state_q == DONE)
      for (int k = 0; k < CoreWidth; k++) if (count_t'(k) < leaving_i.commits && place_i[k] == rob_q) retires = 1'b1;
    if (state_q == QUEUED)
      for (int p = 0; p < Issues; p++) if (issue_i[p].valid && issue_i[p].rob == rob_q) issues = 1'b1;
    if (state_q == EXECUTES)
      for (int d = 0; d < Dones; d++) if (done_i[d].valid && done_i[d].rob == rob_q) done = 1'b1;
  end

  logic [2:0] ready;
  always_comb begin
    ready = ready_q;
    if (state_q == OPERANDS)
      for (int s = 0; s < 3; s++)
        for (int w = 0; w < Wakes; w++) if (wake_i[w].valid && wake_i[w].tag == ps_q[s]) ready[s] = 1'b1;
  end

  // ---- its way ----
  always_ff @(posedge clk_i) begin
    if (!rst_ni || clear_i) begin
      state_q <= IDLE;
    end else if (leaves) begin
      state_q <= FULL;
    end else begin
      case (state_q)
        IDLE: if (pick_i.valid) state_q <= pick_i.opportunity != '0 || leaving_i.squash ? FULL : FRONT;
        FRONT: if (fires)
          state_q <= !lane.queued ? EXECUTES : lane.ready1 && lane.ready2 && lane.ready3 ? QUEUED : OPERANDS;
        OPERANDS: if (&ready) state_q <= QUEUED;
        QUEUED: if (issues) state_q <= EXECUTES;
        EXECUTES: if (done) state_q <= DONE;
        default: ;
      endcase
    end
  end

  // ---- what it lives through ----
  always_ff @(posedge clk_i) begin
    if (state_q == IDLE && !clear_i) begin  // with a pick or not, which is known last
      at_q <= pick_i;
      pair_q <= pair_i;
      at_q.ahead <= pick_i.ahead - ahead_t'(dis_i.count);
      distance_q <= pick_i.second ? distance_i : '0;
      dispatch_q <= leaving_i.squash ? latency_t'(1) : latency_t'(2);
      issue_q <= '0;
      total_q <= leaving_i.squash ? latency_t'(1) : latency_t'(2);
      operands_q <= '0;
      contention_q <= '0;
      execution_q <= '0;
      retire_wait_q <= '0;
      oldest_q <= '0;
      type_q <= pick_i.kind == CFI_NONE ? TYPE_OTHER : TYPE_TRANSFER;
      returns_q <= 1'b0;
      unqueued_q <= 1'b0;
      psv_q <= '0;
      conflicts_q <= '0;
      addressed_q <= 1'b0;
      resolved_q <= 1'b0;
      taken_q <= 1'b0;
      mispredicted_q <= 1'b0;
      stage_q <= pick_i.opportunity != '0 ? 3'd0 : 3'd1;
      outcome_q <= pick_i.opportunity != '0 ? RETIRED : outcome_i;
      own_q <= 1'b0;
      cause_q <= '0;
    end
    if (state_q == FRONT) begin
      at_q.ahead <= at_q.ahead - ahead_t'(dis_i.count);
      if (ahead_t'(dis_i.count) == at_q.ahead) conflicts_q <= conflicts_q | conflict_i;
      if (fires) begin
        rob_q <= lane.rob;
        type_q <= lane.kind;
        returns_q <= lane.returns;
        unqueued_q <= !lane.queued;
        psv_q <= lane.psv;
        ps_q <= '{lane.ps1, lane.ps2, lane.ps3};
        ready_q <= {lane.ready3, lane.ready2, lane.ready1};
        operands_q <= lane.queued ? latency_t'(1) : '0;
        issue_q <= lane.queued ? latency_t'(1) : '0;
        execution_q <= lane.queued ? '0 : latency_t'(1);
      end else if (!killed) begin
        dispatch_q <= longer(dispatch_q);
      end
    end
    if (mapped) begin
      if (head) oldest_q <= longer(oldest_q);
      for (int p = 0; p < MemPorts; p++)
        if (addressed_i[p].valid && addressed_i[p].rob == rob_q) begin
          addressed_q <= 1'b1;
          addr_q <= addressed_i[p].addr;
        end
      for (int p = 0; p < MemEvents; p++) if (event_i[p].valid && event_i[p].rob == rob_q)
        psv_q <= psv_q | event_i[p].psv;
      for (int p = 0; p < BranchPorts; p++)
        if (resolve_i[p].valid && resolve_i[p].rob == rob_q) begin
          resolved_q <= 1'b1;
          taken_q <= resolve_i[p].taken;
          mispredicted_q <= resolve_i[p].mispredict;
          addressed_q <= resolve_i[p].taken;
          addr_q <= resolve_i[p].target;
        end
    end
    if ((state_q == FRONT || mapped) && !leaves) total_q <= longer(total_q);
    if (state_q == OPERANDS) begin
      ready_q <= ready;
      if (!leaves) operands_q <= longer(operands_q);
      if (!leaves) issue_q <= longer(issue_q);
    end
    if (state_q == QUEUED && !leaves) begin
      if (issues) execution_q <= latency_t'(1);
      else contention_q <= longer(contention_q);
      if (!issues) issue_q <= longer(issue_q);
    end
    if (state_q == EXECUTES && !leaves) begin
      if (done) retire_wait_q <= latency_t'(1);
      else execution_q <= longer(execution_q);
    end
    if (state_q == DONE && !leaves) retire_wait_q <= longer(retire_wait_q);

    if (leaves) begin
      stage_q <= 3'(state_q);
      own_q <= raised;
      outcome_q <= retires ? RETIRED : killed ? outcome_i : raised_by(leaving_i);
      if (raised && !leaving_i.replay) cause_q <= leaving_i.cause;
      if (retires && mispredicted_q) psv_q[EvFlMb] <= 1'b1;
      if (raised && !leaving_i.replay) psv_q[EvFlEx] <= 1'b1;
      if (raised && leaving_i.replay && leaving_i.reorders) begin
        psv_q[EvFlMo] <= 1'b1;
        for (int b = 0; b < PsvBits; b++)
          if (PsvFlCoh[b] && leaving_i.cause == commit_pkg::ReplaySnoop) psv_q[b] <= 1'b1;
      end
    end
  end

  // ---- the record ----
  // After Smpdis: bits 42 to 55 of the header.
  logic [13:0] detail;
  always_comb begin
    detail = '0;
    case (type_q)
      TYPE_LOAD, TYPE_STORE, TYPE_BOTH: detail[3:0] = {psv_q[EvStLlc], psv_q[EvStL1], 1'b0, psv_q[EvStTlb]};
      TYPE_TRANSFER: begin
        detail[0] = returns_q;
        detail[13] = mispredicted_q;
        case (at_q.kind)
          CFI_COND: detail[2:1] = {resolved_q && taken_q, resolved_q && !taken_q};
          CFI_ICALL: detail[5] = 1'b1;
          CFI_CALL: detail[6] = 1'b1;
          CFI_IJUMP: detail[7] = 1'b1;
          CFI_JUMP: detail[8] = 1'b1;
          CFI_SWAP: detail[9] = 1'b1;
          CFI_RET: detail[10] = 1'b1;
          default: ;
        endcase
      end
      default: ;
    endcase
  end

  // Guarded, so that a simulator does not assemble records that nobody reads.
  always_comb begin
    sample_o = '0;
    if (state_q == FULL) begin
      sample_o = '{kind: type_q, events: 13'(psv_q), conflicts: conflicts_q, addressed: addressed_q,
                   flushed: at_q.opportunity == '0 && outcome_q != RETIRED, flush: 2'd3, itlb_miss: psv_q[EvDrTlb],
                   icache_miss: psv_q[EvDrL1], detail: detail, pc: at_q.pc, cycle: at_q.cycle, total: '0, dispatch: '0,
                   issue: '0, execution: '0, oldest: oldest_q, dispatched: stage_q > 3'd1,
                   issued: stage_q > 3'd3 || (unqueued_q && stage_q > 3'd1), executed: stage_q > 3'd4,
                   was_oldest: oldest_q != '0, address: addressed_q ? addr_q : '0,
                   collisions: '0, operands: operands_q, contention: contention_q, retire_wait: retire_wait_q,
                   distance: distance_q, mode: at_q.priv, tag: Number, pair: pair_q, second: at_q.second,
                   stage: stage_q, outcome: outcome_q, own: own_q, opportunity: at_q.opportunity, resolved: resolved_q,
                   taken: taken_q, mispredicted: mispredicted_q, cause: cause_q, space: at_q.space,
                   history: at_q.history};
      case (outcome_q)
        RETIRED: sample_o.flush = 2'd0;
        MISPREDICTED: sample_o.flush = 2'd1;
        REORDERED: sample_o.flush = 2'd2;
        default: ;
      endcase
      if (at_q.opportunity == '0) begin
        sample_o.dispatch = dispatch_q;
        sample_o.issue = issue_q;
        sample_o.execution = execution_q;
        sample_o.total = total_q;
      end
    end
  end
  assign idle_o = state_q == IDLE;
  assign full_o = state_q == FULL;

  `include "assert.svh"
  // In the cycle after its packet's it cannot be mapped yet.
  `ASSERT(NotMappedAtOnce, !(state_q == IDLE && pick_i.valid && pick_i.opportunity == '0) ||
          ahead_t'(dis_i.count) <= pick_i.ahead)
  `ASSERT(PickFindsRoom, !pick_i.valid || state_q == IDLE)
endmodule
