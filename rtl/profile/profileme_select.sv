// Which instruction ProfileMe samples: counts what is fetched on the predicted path, down to the one to pick.
//
//   packet --register--> of each slot: how many up to it --which is the one at zero?--> pick_o[0]  of the major
//   interval
//                            '-------------------------------------------------------> pick_o[1]  of a pair: its
//                            minor interval later
//
// Latency: a pick belongs to the packet of the cycle before. Mode 1 counts instructions; mode 2 counts FetchWidth
// opportunities in every cycle, whether they hold an instruction or not (ProfileMe, MICRO 1997, section 4.1.1). Each
// major interval is the programmed one with its lowest `jitter` bits drawn at random; MinPeriod at least, so that it is
// never shorter than a packet. A minor one is uniform in 1 .. 2^window. One that finds no profile registers
// (room_i), or comes before the second of the pair before it, is a collision, and goes by.
//
// The packet's count comes last: all that it decides is prepared beside it. Of a pick that is not valid, the rest says
// nothing.
module profileme_select
  import config_pkg::*;
  import core_pkg::*;
  import fetch_pkg::*;
  import dispatch_pkg::*;
  import life_pkg::*;
  import profile_pkg::*;
  import profileme_pkg::*;
(
  input  logic        clk_i,
  input  logic        rst_ni,
  input  settings_t   settings_i,
  input  logic [31:0] jitter_mask_i,   // of settings_i, as the package has it
  input  logic [9:0]  window_mask_i,
  input  logic        write_i,         // of spdiscounter
  input  word_t       wdata_i,
  input  logic        seed_i,          // of the random numbers
  output word_t       counter_o,       // spdiscounter: interval and count
  // the front end
  input  packet_t     packet_i,
  input  priv_e       priv_i,
  input  logic [SpaceBits-1:0] space_i,
  input  dispatch_t   dis_i,
  input  logic        squash_i,        // everything before map dies
  input  word_t       cycle_i,
  // picks
  input  logic        room_i,          // for one, or for a pair
  output pick_t       pick_o [2],
  output logic        waits_o,         // a second one of this cycle belongs to the pair before
  output logic        collision_o
);
  localparam int unsigned SomeBits = $clog2(FetchWidth + 1);
  typedef logic [SomeBits-1:0] some_t;        // 0..FetchWidth
  typedef logic [FetchWidth:0] unary_t;       // bit k: at least k
  typedef logic [31-SomeBits:0] upper_t;      // of a count
  localparam logic [31:0] Shortest = 32'(MinPeriod);

  // ---- a packet, a cycle late ----
  packet_t packet_q;
  priv_e priv_q;
  logic [SpaceBits-1:0] space_q;
  ahead_t behind_q;           // instructions before map that are ahead of the packet
  word_t cycle_q;
  logic on_q;                 // a pick needs it
  logic [2:0] zero_q;         // these 16 bits of the packet's block are 0: no carry runs through all of it
  some_t pushed;

  // In pairs, fours, ...: shorter than one by one, for gates and for a simulator.
  function automatic some_t ones(input slots_t slots);
    logic [15:0] sums;
    sums = 16'(slots);
    sums = (sums & 16'h5555) + ((sums >> 1) & 16'h5555);
    sums = (sums & 16'h3333) + ((sums >> 2) & 16'h3333);
    sums = (sums & 16'h0f0f) + ((sums >> 4) & 16'h0f0f);
    sums = (sums & 16'h00ff) + (sums >> 8);
    ones = sums[SomeBits-1:0];
  endfunction
  assign pushed = packet_q.valid ? ones(packet_q.slots) : '0;

  // Of each slot how many of these bits there are up to it, in unary, so that a comparison with a number that is known
  // before is an and-or.
  typedef unary_t [FetchWidth-1:0] counts_t;
  function automatic counts_t up_to(input slots_t slots);
    unary_t sum;
    for (int s = 0; s < FetchWidth; s++) up_to[s] = unary_t'({slots[s], 1'b1});
    for (int step = 1; step < FetchWidth; step *= 2)
      for (int s = 0; s < FetchWidth; s++)
        if (s / step % 2 == 1) begin  // and all before it, of the neighbouring group
          sum = up_to[s];
          for (int k = 1; k <= step; k++) if (up_to[s/step*step-1][k]) sum = sum | up_to[s] << k;
          up_to[s] = sum;
        end
  endfunction
  counts_t instructions, branches;
  always_comb begin
    instructions = {FetchWidth{unary_t'(1)}};
    branches = {FetchWidth{unary_t'(1)}};
    if (packet_q.valid) begin
      instructions = up_to(packet_q.slots);
      branches = up_to(packet_q.branches);
    end
  end

  logic on;
  assign on = settings_i.mode != '0;
  always_ff @(posedge clk_i) begin
    if (!rst_ni || squash_i) behind_q <= '0;
    else behind_q <= behind_q + ahead_t'(pushed) - ahead_t'(dis_i.count);
    on_q <= rst_ni && on;
    packet_q.valid <= rst_ni && packet_i.valid;
    if (packet_i.valid) packet_q.slots <= packet_i.slots;
    if (on) begin
      if (packet_i.valid) begin
        packet_q.block <= packet_i.block;
        for (int p = 0; p < 3; p++) zero_q[p] <= packet_i.block[16*p+:16] == '0;
        packet_q.rvc <= packet_i.rvc;
        packet_q.branches <= packet_i.branches;
        packet_q.kind <= packet_i.kind;
        packet_q.history <= packet_i.history;
      end
      priv_q <= priv_i;
      space_q <= space_i;
      cycle_q <= cycle_i;
    end
  end

  // ---- intervals ----
  logic [31:0] interval_q, count_q, random, drawn;
  logic [10:0] minor_q;   // instructions up to the second of a pair
  logic waits_q;          // ... it is to come
  logic short;            // the drawn interval is shorter than a packet may be
  lfsr #(.Ahead(1)) u_lfsr (
    .clk_i(clk_i), .rst_ni(rst_ni), .seed_valid_i(seed_i), .seed_i(wdata_i[31:0]), .step_i(on), .value_o(random),
    /* verilator lint_off PINCONNECTEMPTY */  // a number a cycle is enough
    .ahead_o()
    /* verilator lint_on PINCONNECTEMPTY */
  );
  assign drawn = (interval_q & ~jitter_mask_i) | (random & jitter_mask_i);
  assign short = drawn[31:4] == '0;

  // one less than the minor interval: 0 .. 2^window - 1, from the upper end of the random number
  logic [9:0] minor;
  always_comb for (int b = 0; b < 10; b++) minor[b] = window_mask_i[b] && random[31-b];

  // ---- count ----
  logic counts, reaches, hit, first, second;
  slots_t reach_first, reach_second;  // slots up to which that many things are counted
  some_t amount, at_first;  // counted now; 1 .. FetchWidth: which of them is at zero
  logic [10:0] at_second;   // ... which is the second of a pair, now or later
  always_comb
    case (priv_q)
      PRIV_M: counts = on && on_q && !settings_i.m;
      PRIV_S: counts = on && on_q && !settings_i.s;
      default: counts = on && on_q && !settings_i.u;
    endcase
  assign amount = settings_i.mode[1] ? some_t'(FetchWidth) : pushed;
  assign reaches = counts && (settings_i.mode[1] || packet_q.valid);  // something is counted
  assign at_first = count_q[SomeBits-1:0];
  assign at_second = waits_q ? minor_q : 11'(minor) + 11'(at_first) + 11'd1;
  // the count is at zero in this packet
  assign hit = reaches && count_q[31:SomeBits] == '0 && reach_first[FetchWidth-1];
  assign first = hit && room_i && !waits_q;
  assign second = reaches && reach_second[FetchWidth-1] && (waits_q || (first && settings_i.pairs));
  assign collision_o = hit && !first;
  assign waits_o = waits_q;

  // Number 0 is that of none.
  function automatic slots_t reach(input some_t number);
    unary_t is;
    is = number == '0 ? '0 : unary_t'(1) << number;
    for (int s = 0; s < FetchWidth; s++)
      reach[s] = settings_i.mode[1] ? number != '0 && number <= some_t'(s + 1) : (instructions[s] & is) != '0;
  endfunction
  assign reach_first = reach(at_first);
  // at_second, if it is near: without the carries into what must be 0.
  logic [SomeBits:0] sum, near_second;
  logic near;
  assign sum = (SomeBits + 1)'(minor[SomeBits-1:0]) + (SomeBits + 1)'(at_first) + (SomeBits + 1)'(1);
  assign near_second = waits_q ? (SomeBits + 1)'(minor_q[SomeBits-1:0]) : sum;
  assign near = (waits_q ? minor_q[10:SomeBits] == '0 : minor[9:SomeBits] == '0) && !near_second[SomeBits];
  assign reach_second = near ? reach(near_second[SomeBits-1:0]) : '0;

  // The lowest bits, and whether they go below 0, so that the others are one less: of this interval, and of the next
  // one after the picked instruction, be it as drawn or the shortest.
  logic [SomeBits:0] left, behind, behind_short;
  upper_t upper, upper_less, drawn_upper, drawn_less;
  assign left = (SomeBits + 1)'(at_first) - (SomeBits + 1)'(amount);
  assign behind = (SomeBits + 1)'(drawn[SomeBits-1:0]) + (SomeBits + 1)'(at_first) - (SomeBits + 1)'(amount);
  assign behind_short = (SomeBits + 1)'(Shortest[SomeBits-1:0]) + (SomeBits + 1)'(at_first) - (SomeBits + 1)'(amount);
  assign upper = count_q[31:SomeBits];
  assign upper_less = upper - upper_t'(1);
  assign drawn_upper = drawn[31:SomeBits];
  assign drawn_less = drawn_upper - upper_t'(1);

  logic [31:0] going_on, next;  // the count, if it is not at zero in this packet; if it is
  assign going_on = {left[SomeBits] ? upper_less : upper, left[SomeBits-1:0]};
  always_comb begin
    next = {behind[SomeBits] ? drawn_less : drawn_upper, behind[SomeBits-1:0]};
    if (short)
      next = {behind_short[SomeBits] ? Shortest[31:SomeBits] - upper_t'(1) : Shortest[31:SomeBits],
              behind_short[SomeBits-1:0]};
    if (interval_q == '0) next = '0;
  end

  always_ff @(posedge clk_i) begin
    if (!rst_ni) begin
      interval_q <= '0;
      count_q <= '0;
      waits_q <= 1'b0;
    end else if (write_i) begin
      interval_q <= wdata_i[63:32];
      count_q <= wdata_i[31:0];
    end else if (hit) begin
      count_q <= next;
    end else if (reaches) begin
      count_q <= going_on;
    end
    if (rst_ni) waits_q <= on && settings_i.pairs && (first || waits_q) && !second;
    if (reaches) minor_q <= at_second - 11'(amount);
  end
  assign counter_o = {interval_q, count_q};

  // ---- which one it is ----
  slots_t is_first, is_second;  // by slot: the first that reaches it
  assign is_first = reach_first & ~(reach_first << 1);
  assign is_second = reach_second & ~(reach_second << 1);

  /* verilator lint_off UNUSEDSIGNAL */  // above a block's address it is nothing
  word_t block, block_before;
  /* verilator lint_on UNUSEDSIGNAL */
  assign block = 64'(packet_q.block);
  assign block_before = {zero_q == '1 ? block[63:48] - 16'd1 : block[63:48],
                         zero_q[1:0] == '1 ? block[47:32] - 16'd1 : block[47:32],
                         zero_q[0] ? block[31:16] - 16'd1 : block[31:16], block[15:0] - 16'd1};

  function automatic pick_t picked(input logic valid, input slots_t which, input some_t number, input logic of_second);
    unary_t passed;  // branches
    slot_t slot;
    some_t earlier;  // instructions
    picked = '{valid: valid, opportunity: '0, second: of_second, pc: '0, cycle: cycle_q, ahead: '0, kind: CFI_NONE,
               history: '0, priv: priv_q, space: space_q};
    slot = '0;
    passed = '0;
    for (int s = 0; s < FetchWidth; s++)
      if (which[s]) begin
        slot = slot | (packet_q.rvc[s] ? slot_t'(s) : slot_t'(s - 1));
        passed = passed | (s == 0 ? unary_t'(1) : branches[s == 0 ? 0 : s - 1]);
        picked.kind = cfi_e'(picked.kind | packet_q.kind[s]);
      end
    // What ends in the first slot may begin in the block before.
    picked.pc = {which[0] && !packet_q.rvc[0] ? block_addr_t'(block_before) : packet_q.block, slot, 1'b0};
    for (int k = 0; k <= FetchWidth; k++) if (passed[k] && (k == FetchWidth || !passed[k == FetchWidth ? k : k + 1]))
      picked.history = picked.history | packet_q.history << k;
    earlier = number - some_t'(1);
    if (settings_i.mode[1]) earlier = ones(packet_q.slots & ~(slots_t'('1) << earlier[SlotBits-1:0]));
    picked.ahead = behind_q + ahead_t'(earlier);
    if (settings_i.mode[1] && (!packet_q.valid || (which & packet_q.slots) == '0)) begin
      picked.opportunity = packet_q.valid ? 2'd1 : 2'd2;
      picked.pc = '0;
      picked.ahead = '0;
      picked.kind = CFI_NONE;
      picked.history = '0;
    end
  endfunction

  assign pick_o[0] = picked(first, is_first, at_first, 1'b0);
  assign pick_o[1] = picked(second, is_second, near_second[SomeBits-1:0], 1'b1);

  `include "assert.svh"
  `ASSERT(NothingFetchedInASquash, !squash_i || !packet_i.valid)
endmodule
