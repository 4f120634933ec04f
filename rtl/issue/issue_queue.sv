// Issue queue: holds what waits for its operands, and picks the oldest that are ready. Payload is kept by the user, who
// gets the slot of each dispatching and each issuing instruction.
//
//   dispatch in t -> asks in t+1 at the earliest -> granted in t+1 -> its slot is free in t+2
//
// Wakes: a tag that arrives in cycle t lets those that wait for it ask in t+1. Instructions that produce their result
// in one cycle (fast) send their own tag when granted, so a chain of them issues in consecutive cycles.
// Age: age_matrix. New slots are handed out in ascending order within a group, so slot order is age order there. Ports
// pick one after the other from the highest down: the lowest ports have the scarce units, and the others relieve them
// first. What ready and the like say of free slots is never looked at.
// The loop of the wakes goes by blocks of slots and skips those that are empty: the lowest free slots are taken, so
// that most are.
module issue_queue
  import config_pkg::*;
  import core_pkg::*;
  import port_pkg::*;
  import issue_pkg::*;
#(
  parameter int unsigned Entries = 12,
  parameter int unsigned Ports = 2,
  parameter int unsigned WakeCount = 4,
  parameter bit Three = 1'b0,                      // instructions may have a third source
  parameter bit Ordered = 1'b0,                    // some wait for barriers
  localparam int unsigned SlotBits = $clog2(Entries)
) (
  input  logic clk_i,
  input  logic rst_ni,
  input  squash_t squash_i,
  // dispatch: lanes in program order
  input  logic [CoreWidth-1:0] want_i,
  output logic [CoreWidth-1:0] full_o,
  output logic [SlotBits-1:0] slot_o [CoreWidth],
  input  logic [CoreWidth-1:0] fire_i,
  input  schedule_t lane_i [CoreWidth],
  input  logic [Ports-1:0] ports_i [CoreWidth],    // ports that can take it
  // operands
  input  wake_t wake_i [WakeCount],
  input  logic gate_open_i,
  input  logic [Ports-1:0] hold_i,                 // ports that take nothing in this cycle
  // issue
  output logic [Ports-1:0] grant_o,
  output logic [Ports-1:0] grant_killed_o,         // by the squash of this cycle
  output logic [SlotBits-1:0] grant_slot_o [Ports],
  output mem_part_e grant_part_o [Ports],
  output logic [Ports-1:0] grant_gated_o,          // to one that the gate lets through
  output wake_t wake_o [Ports]                     // grants of fast ones
);
  typedef logic [Entries-1:0] slots_t;
  typedef logic [SlotBits-1:0] slot_t;

  slots_t valid_q, ready1_q, ready2_q, fast_q, gated_q, barrier_q, waits_q;
  slots_t split_q, begun_q;  // in two parts; the first has been issued
  slots_t can_q [Ports];
  preg_t ps1_q [Entries];
  preg_t ps2_q [Entries];
  preg_t pd_q [Entries];
  rob_idx_t rob_q [Entries];

  localparam int unsigned Block = 16, Blocks = (Entries + Block - 1) / Block;
  typedef logic [Blocks-1:0][Block-1:0] blocks_t;
  localparam int unsigned Few = 4, Fews = (Entries + Few - 1) / Few;
  typedef logic [Fews-1:0][Few-1:0] few_t;
  blocks_t live;
  assign live = (Blocks * Block)'(valid_q);

  // ---- dispatch: the lowest free slots, in order ----
  slot_t free_slot [CoreWidth];
  logic [CoreWidth-1:0] free_valid;
  find_first #(.Width(Entries), .Count(CoreWidth)) u_find_first (.set_i(~valid_q), .valid_o(free_valid),
                                                                 .idx_o(free_slot));

  always_comb begin
    automatic int unsigned n = 0;
    for (int i = 0; i < CoreWidth; i++) begin
      slot_o[i] = free_slot[LaneBits'(n)];
      full_o[i] = want_i[i] && !free_valid[LaneBits'(n)];
      if (want_i[i] && n + 1 < CoreWidth) n++;
    end
  end

  logic [CoreWidth-1:0] enter;
  slots_t alloc, in_ready1, in_ready2, in_fast, in_gated, in_barrier, in_waits, in_split;
  slots_t in_can [Ports];
  assign enter = fire_i & want_i;
  always_comb begin
    alloc = '0;
    in_ready1 = '0;
    in_ready2 = '0;
    in_fast = '0;
    in_gated = '0;
    in_barrier = '0;
    in_waits = '0;
    in_split = '0;
    for (int p = 0; p < Ports; p++) in_can[p] = '0;
    for (int i = 0; i < CoreWidth; i++)
      if (enter[i]) begin
        alloc[slot_o[i]] = 1'b1;
        in_ready1[slot_o[i]] = lane_i[i].ready1;
        in_ready2[slot_o[i]] = lane_i[i].ready2;
        in_fast[slot_o[i]] = lane_i[i].fast;
        in_gated[slot_o[i]] = lane_i[i].gated;
        in_barrier[slot_o[i]] = lane_i[i].barrier;
        in_waits[slot_o[i]] = lane_i[i].waits;
        in_split[slot_o[i]] = lane_i[i].split;
        for (int p = 0; p < Ports; p++) in_can[p][slot_o[i]] = ports_i[i][p];
      end
  end

  // ---- third source ----
  slots_t ready3;
  if (Three) begin : gen_three
    slots_t ready3_q, match3, in_ready3;
    preg_t ps3_q [Entries];
    assign ready3 = ready3_q;
    always_comb begin
      in_ready3 = '0;
      for (int i = 0; i < CoreWidth; i++) if (enter[i] && lane_i[i].ready3) in_ready3[slot_o[i]] = 1'b1;
      match3 = '0;
      for (int w = 0; w < WakeCount; w++)
        if (wake_i[w].valid)
          for (int i = 0; i < Entries; i++) if (ps3_q[i] == wake_i[w].tag) match3[i] = 1'b1;
    end
    always_ff @(posedge clk_i) begin
      ready3_q <= ((ready3_q | match3) & ~alloc) | in_ready3;
      for (int i = 0; i < CoreWidth; i++) if (enter[i]) ps3_q[slot_o[i]] <= lane_i[i].ps3;
    end
  end else begin : gen_two
    assign ready3 = '1;
  end

  // ---- select ----
  slots_t asks, granted, stays, behind, behind_barrier, killed, gone;
  slots_t can [Ports], pick [Ports];
  always_comb begin
    asks = valid_q & ready1_q & (ready2_q | (split_q & ~begun_q)) & ready3 & ~behind_barrier;
    if (!gate_open_i) asks &= ~gated_q;
  end
  for (genvar p = 0; p < Ports; p++) begin : gen_hold
    assign can[p] = hold_i[p] ? '0 : can_q[p];
  end

  age_matrix #(.Entries(Entries), .Picks(Ports)) u_age_matrix (
    .clk_i, .rst_ni, .enter_i(alloc), .stay_i(valid_q & ~gone),
    .ask_i(asks), .can_i(can), .picked_o(granted), .valid_o(grant_o), .pick_o(pick), .idx_o(grant_slot_o),
    .who_i(waits_q & valid_q), .before_i(barrier_q & ~begun_q & valid_q), .behind_o(behind)
  );
  assign behind_barrier = Ordered ? behind : '0;
  assign stays = granted & ~ready2_q;

  for (genvar p = 0; p < Ports; p++) begin : gen_wake
    assign grant_killed_o[p] = killed[grant_slot_o[p]];
    assign grant_gated_o[p] = (pick[p] & gated_q) != '0;
    assign grant_part_o[p] = begun_q[grant_slot_o[p]] ? PART_DATA : ready2_q[grant_slot_o[p]] ? PART_ALL : PART_ADDR;

    // The loop from grant to grant goes by here: whom it wakes is found by the pick itself, not by its index.
    preg_t tag;
    few_t mine;
    assign mine = (Fews * Few)'(pick[p]);
    always_comb begin
      tag = '0;
      for (int b = 0; b < Fews; b++)
        if (mine[b] != '0)
          for (int i = Few * b; i < Few * (b + 1); i++) if (i < Entries)
            tag |= pd_q[slot_t'(i)] & {$bits(preg_t){pick[p][slot_t'(i)]}};
    end
    assign wake_o[p] = '{valid: (pick[p] & fast_q) != '0, tag: tag};
  end

  // ---- wakes and squash ----
  slots_t match1, match2;
  always_comb begin
    match1 = '0;
    match2 = '0;
    for (int w = 0; w < WakeCount; w++)
      if (wake_i[w].valid)
        for (int b = 0; b < Blocks; b++)
          if (live[b] != '0)
            for (int i = Block * b; i < Block * (b + 1); i++)
              if (i < Entries) begin
                if (ps1_q[slot_t'(i)] == wake_i[w].tag) match1[slot_t'(i)] = 1'b1;
                if (ps2_q[slot_t'(i)] == wake_i[w].tag) match2[slot_t'(i)] = 1'b1;
              end
  end

  always_comb begin
    killed = '0;
    if (squash_i.valid)
      for (int i = 0; i < Entries; i++) killed[i] = squash_i.all || rob_older(squash_i.rob, rob_q[i]);
    gone = (granted & ~stays) | killed;
  end

  // ---- state ----
  always_ff @(posedge clk_i) begin
    if (!rst_ni) valid_q <= '0;
    else valid_q <= (valid_q & ~gone) | alloc;
    ready1_q <= ((ready1_q | match1) & ~alloc) | in_ready1;
    ready2_q <= ((ready2_q | match2) & ~alloc) | in_ready2;
    begun_q <= (begun_q | stays) & ~alloc;
    if (alloc != '0) begin
      split_q <= (split_q & ~alloc) | in_split;
      fast_q <= (fast_q & ~alloc) | in_fast;
      gated_q <= (gated_q & ~alloc) | in_gated;
      barrier_q <= (barrier_q & ~alloc) | in_barrier;
      waits_q <= (waits_q & ~alloc) | in_waits;
    end
    for (int i = 0; i < CoreWidth; i++)
      if (enter[i]) begin
        ps1_q[slot_o[i]] <= lane_i[i].ps1;
        ps2_q[slot_o[i]] <= lane_i[i].ps2;
        pd_q[slot_o[i]] <= lane_i[i].pd;
        rob_q[slot_o[i]] <= lane_i[i].rob;
      end
  end

  for (genvar p = 0; p < Ports; p++) begin : gen_can
    always_ff @(posedge clk_i) if (alloc != '0) can_q[p] <= (can_q[p] & ~alloc) | in_can[p];
  end

  `include "assert.svh"
  `ASSERT(NoDispatchInSquash, !(squash_i.valid && enter != '0))
  `ASSERT(FreeSlotsOnly, (alloc & valid_q) == '0)
endmodule
