// Where the sampling counter goes on from when it overflows, worked out ahead of the overflow.
//
//   value --draw--> drawn_q --pick--> word_q --width--> jitter_q --+ period, by slices--> slices_q --carries--> low_q
//     --check--> checked_q --upper half--> below_q
//
// distance = period + jitter. There are two kinds of jitter:
// - random: uniform in [-2^(bits-1), 2^(bits-1)), the low bits of a shift register that steps in every cycle; 0 where
//   bits is 0;
// - golden: the register is a fraction of 32 bits, to which each reload adds the golden ratio. Its upper bits are an
//   offset in [0, 2^bits), and the jitter is the next offset minus this one: trigger k comes after k periods and the
//   offset at k times the ratio, so that triggers go evenly through a loop of any length. Where bits is 0 the jitter is
//   the fraction's carry, 0 or 1.
// A width above 32 is as 32. A distance that is not in [MinPeriod, 2^64) is replaced by the period, or by MinPeriod: no
// setting stops the sampling.
// Latency: below_o is read Late cycles after the overflow's own cycle, and the random number is that of the overflow's
// own cycle, counted from the write of the seed (tip_csrs), which stands two cycles after that: it is taken Ahead steps
// on. Whatever changes, below_o and active_o stay as they were until all of it has come through, so that no distance is
// made of parts of two settings: period and jitter count for a below_o that is read Settling + 2 cycles after their
// write or later. The fraction goes on two cycles after the one with reload_i: golden reloads that are less than
// Settling + 4 cycles apart have the same jitter, and the fraction goes on by one of them. (MinPeriod is more, so that
// this is only where several events are counted in a cycle.)
module sample_reload
  import core_pkg::*;
  import profile_pkg::*;
(
  input  logic          clk_i,
  input  logic          rst_ni,
  input  word_t         period_i,       // 0: no reload
  input  logic          golden_i,       // kind of the jitter: by the golden ratio, else at random
  input  logic [5:0]    jitter_bits_i,
  input  logic          draws_i,        // there are bits, and they are random: the shift register steps
  input  logic          changed_i,      // the four above are written at the end of this cycle
  input  logic          seed_valid_i,   // takes seed_i; must come with each change of golden_i
  input  logic [31:0]   seed_i,
  input  logic          reload_i,       // the counter goes on from here
  output logic          active_o,       // there is a period
  output word_t         below_o,        // complement of the distance: one less than where the counter goes on from
  output count_full_t   below_full_o    // segments of it that are all ones
);
  // cycles from an overflow to the one that reads below_o; reload_i comes with that or in the next one
  localparam int unsigned Late = 1;
  localparam int unsigned Slices = 5;                        // of the sum with the period
  localparam int unsigned Edge [Slices+1] = '{0, 8, 15, 21, 27, 32};
  localparam int unsigned GoldenSlice = 8, GoldenSlices = 32 / GoldenSlice;  // of the sum with the ratio: one a cycle
  localparam int unsigned Stages = 7;                        // registers from value to below_o
  localparam int unsigned Ahead = Stages - Late + 1;         // the seed comes a cycle after its write
  localparam int unsigned Settling = Stages + GoldenSlices - 2;  // cycles in which below_q stays as it is
  localparam logic [31:0] Golden = 32'h9e37_79b9;            // 2^32 * (sqrt 5 - 1) / 2
  localparam int unsigned WaitBits = $clog2(Settling + 1);
  if (Settling + 5 > MinPeriod) begin : gen_settling  // below_o may be read a cycle before reload_i
    $error("the next golden reload may come before its jitter");
  end
  if (MinPeriod != 16) begin : gen_min_period
    $error("the check looks at the bits from MinPeriod's on");
  end

  // ---- what follows from the settings alone ----
  logic       golden_q, some_q;  // some: there are bits
  // number of the lower bits that are not the sign, all of them where it is golden; above 32 as 32
  logic [5:0] reach_q;
  // random: of the uppermost bit; golden: of the fraction's bit that is 1/2^bits, whose carry counts
  logic [4:0] index_q;
  logic [3:0] byte_q;            // golden: index's upper bits, one-hot
  logic [4:0] upper, index;
  assign index = upper ^ {5{golden_i}};
  assign upper = jitter_bits_i > 6'd32 ? 5'd31 : 5'(jitter_bits_i - 6'd1);
  always_ff @(posedge clk_i) begin
    golden_q <= golden_i;
    some_q <= jitter_bits_i != '0;
    reach_q <= golden_i || jitter_bits_i == '0 ? jitter_bits_i : 6'(upper);
    index_q <= index;
    byte_q <= golden_i ? 4'd1 << index[4:3] : '0;
  end

  // ---- the register, and whether all that follows from it has come through ----
  logic [31:0] value, random;
  logic [32:0] drawn_q;
  logic reload_q, steps_q;
  logic [2:0] settled_q;            // in this cycle, and in those before it
  logic [WaitBits-1:0] wait_q;
  lfsr #(.Ahead(Ahead)) u_lfsr (
    .clk_i(clk_i), .rst_ni(rst_ni), .seed_valid_i(seed_valid_i || steps_q),
    .seed_i(seed_valid_i ? seed_i : drawn_q[31:0]), .step_i(draws_i), .value_o(value), .ahead_o(random)
  );
  always_ff @(posedge clk_i) begin
    if (!rst_ni) begin
      reload_q <= 1'b0;
      steps_q <= 1'b0;
      wait_q <= WaitBits'(Settling);
      settled_q <= '0;
    end else begin
      reload_q <= reload_i;
      // so, the reload has taken what this fraction gives; a seed that comes now is the next one
      steps_q <= reload_q && golden_q && &settled_q && !steps_q && !seed_valid_i;
      if (changed_i || seed_valid_i || steps_q) wait_q <= WaitBits'(Settling);
      else if (wait_q != '0) wait_q <= wait_q - WaitBits'(1);
      settled_q <= {settled_q[1:0], !changed_i && !seed_valid_i && !steps_q && wait_q[WaitBits-1:1] == '0};
    end
  end

  // ---- draw: a random number, or the fraction after a reload and its carry, a slice a cycle ----
  // The carry goes in as a bit below: one adder, not three operands.
  function automatic logic [GoldenSlice:0] golden_sum(input logic [GoldenSlice-1:0] a, input logic [GoldenSlice-1:0] b,
                                                      input logic carry);
    logic unused;
    {golden_sum, unused} = {1'b0, a, 1'b1} + {1'b0, b, carry};
  endfunction

  logic [GoldenSlices-1:0] ripple_q;  // carry out of each slice
  logic [GoldenSlices-1:0][GoldenSlice:0] golden;
  logic [31:0] golden_word;
  always_comb
    for (int s = 0; s < GoldenSlices; s++) begin
      golden[s] = golden_sum(value[s*GoldenSlice+:GoldenSlice], Golden[s*GoldenSlice+:GoldenSlice],
                             s == 0 ? 1'b0 : ripple_q[s-1]);
      golden_word[s*GoldenSlice+:GoldenSlice] = golden[s][GoldenSlice-1:0];
    end
  always_ff @(posedge clk_i) begin
    for (int s = 0; s < GoldenSlices; s++) ripple_q[s] <= golden[s][GoldenSlice];
    drawn_q <= golden_q ? {golden[GoldenSlices-1][GoldenSlice], golden_word} : {1'b0, random};
  end

  // ---- pick: the bits below the sign, and the bit that decides, of each eight ----
  // Golden: of two offsets, the upper bits of fractions that are the ratio apart: the ratio's upper bits, minus 2^bits
  // with a carry out of the fraction, plus one with a carry out of the fraction's lower bits.
  logic [31:0] word_q, decides;
  logic [3:0] picked_q;
  logic turn_q;  // golden: carry out of the fraction
  assign decides = drawn_q[31:0] ^ (golden_q ? value ^ Golden : '0);  // golden: the carry into each bit
  function automatic logic [31:0] ratio(input logic [2:0] turned, input logic [3:0] by_bytes);
    logic [31:0] bits;
    ratio = '0;
    bits = '0;
    // unsigned, since indices go round; no table: a table has a register of its own
    for (int unsigned b = 0; b < 32; b++)
      for (int unsigned t = 0; t < 8; t++) bits[b] |= turned == 3'(t) && Golden[5'(b)+5'(t)];
    for (int unsigned b = 0; b < 32; b++)
      for (int unsigned t = 0; t < 4; t++) ratio[b] |= by_bytes[t] && bits[5'(b)+5'(8*t)];
  endfunction

  always_ff @(posedge clk_i) begin
    word_q <= ratio(index_q[2:0], byte_q) | (drawn_q[31:0] & {32{!golden_q}});
    for (int k = 0; k < 4; k++) picked_q[k] <= decides[{2'(k), index_q[2:0]}];
    turn_q <= drawn_q[32];
  end

  // ---- width ----
  // Random: 2^(bits-1) taken from a number of that many bits, without a subtraction: where the uppermost of them is 0
  // the difference is negative.
  typedef struct packed {
    logic        negative;  // what is added to the period is this, 33 bits wide, and the carry
    logic [31:0] low;
    logic        carry;
  } addend_t;
  addend_t jitter, jitter_q;
  logic picked;
  assign picked = picked_q[index_q[4:3]];
  always_comb begin
    jitter.negative = some_q && (golden_q ? turn_q : !picked);
    jitter.carry = golden_q && (some_q ? picked : turn_q);
    for (int i = 0; i < 32; i++) jitter.low[i] = 6'(i) < reach_q ? word_q[i] : jitter.negative;
  end

  // ---- the sum of the lower words, without carries between slices; and with them ----
  logic [31:0] slices_q;
  logic [Slices-1:0] over_q;     // carries out of them
  logic [Slices-1:1] through_q;  // a carry into the slice is one out of it, or there is one out of it anyway
  logic negative_q;
  logic [Slices:0] carries;  // into each slice
  logic [31:0] low, low_q;   // lower half of the distance
  logic more_q, less_q;      // what it does to the upper one
  for (genvar s = 0; s < Slices; s++) begin : gen_slice
    localparam int unsigned Bits = Edge[s+1] - Edge[s];
    logic [Bits-1:0] of_period, of_jitter;
    assign of_period = period_i[Edge[s]+:Bits];
    assign of_jitter = jitter_q.low[Edge[s]+:Bits];
    always_ff @(posedge clk_i)
      {over_q[s], slices_q[Edge[s]+:Bits]} <= (Bits+1)'(of_period) + (Bits+1)'(of_jitter) +
                                              (Bits+1)'(s == 0 && jitter_q.carry);
    if (s != 0) begin : gen_through
      always_ff @(posedge clk_i) through_q[s] <= &(of_period | of_jitter);
    end
    assign low[Edge[s]+:Bits] = slices_q[Edge[s]+:Bits] + Bits'(carries[s]);
  end
  always_comb begin
    carries = '0;
    for (int s = 0; s < Slices; s++) begin  // from a slice below it, through full ones
      for (int from = 0; from <= s; from++) begin
        logic through;
        through = over_q[from];
        for (int k = from + 1; k <= s; k++) through &= through_q[k];
        carries[s+1] |= through;
      end
    end
  end
  always_ff @(posedge clk_i) begin
    jitter_q <= jitter;
    negative_q <= jitter_q.negative;
    low_q <= low;
    more_q <= !negative_q && carries[Slices];
    less_q <= negative_q && !carries[Slices];
  end

  // ---- check: whether the distance is out of range; else the upper half is the period's, one more or one less ----
  // The upper half in parts, which end where the counter's segments do; what is known of each follows from the period
  // alone.
  localparam int unsigned First = CountLowBits, Second = First + CountSegmentBits, Third = Second + CountSegmentBits,
      Fourth = Third + CountSegmentBits;
  localparam int unsigned Parts = 5;
  localparam int unsigned Start [Parts+1] = '{32, Third, Third + 7, Fourth, Fourth + 7, 64};
  typedef logic [Parts-1:0] parts_t;
  parts_t zero_q, one_q, ones_q;
  logic [1:0] low_zero_q;                   // the lower half's segments of the period
  logic short_q, period_q;                  // the period is below MinPeriod; there is one
  typedef struct packed {
    logic        outside;                   // the distance is out of range
    parts_t      up;                        // this part of the upper half goes on
    parts_t      down;
    logic [1:0]  low_zero;                  // by segment
    logic [31:0] low;
  } checked_t;
  checked_t checked, checked_q;
  always_comb begin
    checked.outside = &zero_q && low_q[31:4] == '0;
    if (more_q) checked.outside = &ones_q;
    // a jitter is more than -2^32 + MinPeriod: one less is above it where there is an upper half
    else if (less_q) checked.outside = &zero_q;
    for (int p = 0; p < Parts; p++) begin
      checked.up[p] = more_q && !(&ones_q);
      checked.down[p] = less_q && !checked.outside;
      for (int k = 0; k < p; k++) begin
        checked.up[p] &= ones_q[k];
        checked.down[p] &= zero_q[k];
      end
    end
    checked.low_zero = {low_q[31:Second] == '0, low_q[Second-1:First] == '0};
    checked.low = low_q;
  end
  always_ff @(posedge clk_i) begin
    low_zero_q <= {period_i[31:Second] == '0, period_i[Second-1:First] == '0};
    short_q <= period_i[63:4] == '0;
    period_q <= period_i != '0;
    checked_q <= checked;
  end

  for (genvar p = 0; p < Parts; p++) begin : gen_part
    always_ff @(posedge clk_i) begin
      zero_q[p] <= period_i[Start[p+1]-1:Start[p]] == '0;
      one_q[p] <= period_i[Start[p+1]-1:Start[p]] == (Start[p+1] - Start[p])'(1);
      ones_q[p] <= &period_i[Start[p+1]-1:Start[p]];
    end
  end

  // ---- the distance ----
  word_t distance;
  count_full_t full;
  parts_t gone;  // all zeros afterwards
  logic ones_below, zeros_below;  // in its part
  always_comb begin
    ones_below = 1'b1;
    zeros_below = 1'b1;
    for (int p = 0; p < Parts; p++) begin
      gone[p] = checked_q.up[p] ? ones_q[p] : checked_q.down[p] ? one_q[p] : zero_q[p];
      for (int unsigned i = 32; i < 64; i++) begin
        if (i >= Start[p] && i < Start[p+1]) begin
          if (i == Start[p]) begin
            ones_below = 1'b1;
            zeros_below = 1'b1;
          end
          distance[i] = period_i[i] ^ ((checked_q.up[p] && ones_below) || (checked_q.down[p] && zeros_below));
          ones_below &= period_i[i];
          zeros_below &= !period_i[i];
        end
      end
    end
    distance[31:0] = checked_q.outside ? {period_i[31:5], period_i[4] || short_q, period_i[3:0] & {4{!short_q}}}
                     : checked_q.low;
    full[3:1] = {&gone[4:3], &gone[2:1], gone[0] && (checked_q.outside ? low_zero_q[1] : checked_q.low_zero[1])};
    full[0] = checked_q.outside ? low_zero_q[0] && (First > 4 || !short_q) : checked_q.low_zero[0];
  end

  word_t below_q;
  count_full_t full_q;
  logic active_q;
  always_ff @(posedge clk_i) begin
    if (!rst_ni) active_q <= 1'b0;
    else if (settled_q[0]) active_q <= period_q;
    if (settled_q[0]) begin
      below_q <= ~distance;
      full_q <= full;
    end
  end
  assign active_o = active_q;
  assign below_o = below_q;
  assign below_full_o = full_q;

  `include "assert.svh"
  for (genvar s = 0; s < CountSegments; s++) begin : gen_full
    `ASSERT(FullIsDerived, !active_q || full_q[s] ==
            &below_q[64-1 < First+(s+1)*CountSegmentBits-1 ? 63
                     : First+(s+1)*CountSegmentBits-1:First+s*CountSegmentBits])
  end
  `ASSERT(InRange, !active_q || ~below_q >= 64'(MinPeriod))
endmodule
