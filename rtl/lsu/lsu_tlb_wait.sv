// Instructions that missed the data TLB, each with its operands, until a walk has found their translation.
//
//   EX: miss -> here -> walk asked for, oldest first, one at a time -> its end -> chosen, oldest first -> EX again, on
//   port 0
//
// The end of a walk (leaf or fault) stays with those who waited for it, so that an instruction that enters EX again
// never misses again. Walks need no instruction's progress, so what is in here always leaves; hold_o keeps out of EX
// what would find no room, counting what is on its way already. It also clears port 0 for those that are ready.
// Latency: in the cycle in which the walk ends, the oldest that it answers for is chosen into a register, from which EX
// begins: the search is not in front of the address's addition. EX again one cycle after the end of the walk if port 0
// is free and none older is ready.
// A squash frees entries; a walk asked for by one of them goes on and fills the TLB.
// Invariants: at most one walk is in flight; ready_q and the faults are looked at in valid entries only; what is chosen
// keeps its entry until it is taken.
module lsu_tlb_wait
  import config_pkg::*;
  import core_pkg::*;
  import mmu_pkg::*;
  import lsu_pkg::*;
(
  input  logic clk_i,
  input  logic rst_ni,
  input  squash_t squash_i,
  input  logic flush_i,                        // the end of a walk in flight is of no use
  // EX: valid instructions, and which of them missed; base + imm gives the address again
  input  logic [MemPorts-1:0] miss_i,
  input  mem_uop_t miss_uop_i [MemPorts],
  input  vpn_t miss_vpn_i [MemPorts],
  // walks
  output walk_req_t walk_req_o,
  input  logic walk_ready_i,
  input  walk_resp_t walk_resp_i,
  output logic fill_o,                         // walk_resp_i goes to the TLB
  // EX: the one that is chosen of those with their translation, by a register
  output logic again_valid_o,
  output mem_uop_t again_uop_o,
  output walk_resp_t again_walked_o,        // and how its walk ended
  input  logic again_take_i,
  // IS: ports on which nothing may issue
  output logic [MemPorts-1:0] hold_o
);
  localparam int unsigned InFlight = 3 * MemPorts;  // in EX, in RR, and issuing
  localparam int unsigned IdxBits = $clog2(WaitEntries);
  typedef logic [WaitEntries-1:0] vec_t;
  typedef logic [IdxBits-1:0] idx_t;

  vec_t valid_q, ready_q, page_q, access_q;
  mem_uop_t uop_q [WaitEntries];
  vpn_t vpn_q [WaitEntries];
  leaf_t leaf_q [WaitEntries];
  logic walking_q;

  // ---- the oldest that waits and the oldest that is ready ----
  idx_t walk_idx, ready_idx, again_idx_q;
  logic walk_found, ready_found, again_q;
  mem_uop_t again_uop_q;
  walk_resp_t again_walked_q;
  vec_t wakes, chosen;
  assign chosen = again_q ? vec_t'(1) << again_idx_q : '0;
  logic [RobIdxBits-1:0] rob [WaitEntries];
  for (genvar i = 0; i < WaitEntries; i++) begin : gen_rob
    assign rob[i] = uop_q[i].rob;
  end
  oldest_in_ring #(.Entries(WaitEntries), .NameBits(RobIdxBits)) u_walk (
    .set_i(walking_q ? '0 : valid_q & ~ready_q), .name_i(rob), .valid_o(walk_found), .idx_o(walk_idx)
  );
  oldest_in_ring #(.Entries(WaitEntries), .NameBits(RobIdxBits)) u_again (
    .set_i(valid_q & (ready_q | wakes) & ~chosen), .name_i(rob), .valid_o(ready_found), .idx_o(ready_idx)
  );
  assign again_valid_o = again_q;
  assign again_uop_o = again_uop_q;
  assign again_walked_o = again_walked_q;

  // ---- walks ----
  logic ends;
  assign walk_req_o = '{valid: walk_found && !flush_i, vpn: vpn_q[walk_idx]};
  assign ends = walk_resp_i.valid && !walk_resp_i.fetch && walking_q && !flush_i;
  assign fill_o = ends && !walk_resp_i.page_fault && !walk_resp_i.access_fault;

  // The end of a walk for page `walked` answers for page `vpn`. A fault answers for its page alone.
  function automatic logic answers(input logic fault, input logic [1:0] level, input vpn_t walked, input vpn_t vpn);
    answers = vpn[26:18] == walked[26:18] && ((!fault && level >= 2'd2) || vpn[17:9] == walked[17:9]) &&
              ((!fault && level >= 2'd1) || vpn[8:0] == walked[8:0]);
  endfunction

  // ---- who comes, becomes ready, leaves ----
  vec_t enter, enter_ready, gone;
  idx_t free_idx [MemPorts], enter_idx [MemPorts];
  logic [MemPorts-1:0] free;  // FindsRoom: there is room for all that comes
  find_first #(.Width(WaitEntries), .Count(MemPorts)) u_find_first (.set_i(~valid_q), .valid_o(free), .idx_o(free_idx));
  always_comb begin
    automatic int unsigned n = 0;
    enter = '0;
    enter_ready = '0;
    for (int p = 0; p < MemPorts; p++) begin
      enter_idx[p] = free_idx[n];
      if (miss_i[p]) begin
        enter[enter_idx[p]] = 1'b1;
        enter_ready[enter_idx[p]] = ends && answers(!fill_o, walk_resp_i.leaf.level, walk_resp_i.vpn, miss_vpn_i[p]);
        if (n + 1 < MemPorts) n++;
      end
    end
  end

  always_comb begin
    wakes = '0;
    if (ends)
      for (int i = 0; i < WaitEntries; i++)
        wakes[i] = valid_q[i] && !ready_q[i] && answers(!fill_o, walk_resp_i.leaf.level, walk_resp_i.vpn, vpn_q[i]);
    gone = '0;
    if (squash_i.valid && valid_q != '0)
      for (int i = 0; i < WaitEntries; i++) gone[i] = killed(squash_i, uop_q[i].rob);
    if (again_take_i) gone |= chosen;
  end

  // ---- issue is held ----
  always_comb begin
    automatic int unsigned used = 0;
    if (valid_q != '0) for (int i = 0; i < WaitEntries; i++) used += 32'(valid_q[i]);
    hold_o = used + InFlight > WaitEntries ? '1 : '0;
    if ((valid_q & ready_q) != '0) hold_o[0] = 1'b1;
  end

  always_ff @(posedge clk_i) begin
    if (!rst_ni) begin
      valid_q <= '0;
      again_q <= 1'b0;
      walking_q <= 1'b0;
    end else begin
      valid_q <= (valid_q & ~gone) | enter;
      again_q <= !again_q || again_take_i ? ready_found && !gone[ready_idx] : !gone[again_idx_q];
      if (walk_req_o.valid && walk_ready_i) walking_q <= 1'b1;
      else if (ends || flush_i) walking_q <= 1'b0;
    end
    ready_q <= ((ready_q | wakes) & ~enter) | enter_ready;
  end

  always_ff @(posedge clk_i)
    if (ready_found && (!again_q || again_take_i)) begin
      again_idx_q <= ready_idx;
      again_uop_q <= uop_q[ready_idx];
      again_walked_q <= '{
        valid: 1'b1,
        fetch: 1'b0,
        vpn: vpn_q[ready_idx],
        page_fault: wakes[ready_idx] ? walk_resp_i.page_fault : page_q[ready_idx],
        access_fault: wakes[ready_idx] ? walk_resp_i.access_fault : access_q[ready_idx],
        leaf: wakes[ready_idx] ? walk_resp_i.leaf : leaf_q[ready_idx]
      };
    end

  always_ff @(posedge clk_i) begin
    for (int p = 0; p < MemPorts; p++)
      if (miss_i[p]) begin
        uop_q[enter_idx[p]] <= miss_uop_i[p];
        vpn_q[enter_idx[p]] <= miss_vpn_i[p];
      end
    for (int i = 0; i < WaitEntries; i++)
      if (wakes[i] || enter_ready[i]) begin
        leaf_q[i] <= walk_resp_i.leaf;
        page_q[i] <= walk_resp_i.page_fault;
        access_q[i] <= walk_resp_i.access_fault;
      end
  end

  `include "assert.svh"
  `ASSERT(FindsRoom, (enter & valid_q) == '0 && 32'($countones(miss_i)) <= 32'($countones(free)))
  // The proof of ST_TLB (tests/formal/psv_tlb_proof.sv) takes for granted that an instruction comes from the issue
  // queue once.
  logic [MemPorts-1:0] fresh, twice;
  always_comb
    for (int p = 0; p < MemPorts; p++) begin
      fresh[p] = miss_uop_i[p].valid && miss_uop_i[p].part != PART_DATA && !(p == 0 && again_take_i);
      twice[p] = 1'b0;
      if (fresh[p] && valid_q != '0)
        for (int i = 0; i < WaitEntries; i++) if (valid_q[i] && uop_q[i].rob == miss_uop_i[p].rob) twice[p] = 1'b1;
      for (int q = 0; q < p; q++) if (fresh[p] && fresh[q] && miss_uop_i[q].rob == miss_uop_i[p].rob) twice[p] = 1'b1;
    end
  `ASSERT(ComesOnce, twice == '0)
  `ASSERT(ChosenWaits, (chosen & ~(valid_q & ready_q)) == '0)
  `ASSERT(FlushFindsNone, !flush_i || (valid_q & ~gone) == '0)
endmodule
