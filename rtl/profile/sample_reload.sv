// Where the sampling counter goes on from when it overflows, worked out ahead of the overflow.
//
//   value --draw--> drawn_q --width--> jitter_q --+ period, lower half--> low_q --upper half, check--> below_q
//
// distance = period + jitter. There are two kinds of jitter:
// - random: uniform in [-2^(bits-1), 2^(bits-1)), the low bits of a shift register that steps in every cycle; 0 where bits is 0;
// - golden: the register is a fraction of 32 bits, to which each reload adds the golden ratio. Its upper bits are an offset in
//   [0, 2^bits), and the jitter is the next offset minus this one: trigger k comes after k periods and the offset at k times the
//   ratio, so that triggers go evenly through a loop of any length. Where bits is 0 the jitter is the fraction's carry, 0 or 1.
// A width above 32 is as 32. A distance that is not in [MinPeriod, 2^64) is replaced by the period, or by MinPeriod: no setting
// stops the sampling.
// Latency: reload_i follows the overflow by a cycle (pmu). Period and jitter count for overflows from Ahead cycles after their write
// on; one before that may go by what was, or by parts of both. The random number is that of the overflow's own cycle, counted
// from the seed: it is taken Ahead steps on. The golden sum takes Settling cycles more from a new fraction on: a reload in them
// leaves the fraction as it is, and takes the jitter that was there.
module sample_reload
  import core_pkg::*;
  import profile_pkg::*;
(
  input  logic        clk_i,
  input  logic        rst_ni,
  input  word_t       period_i,      // 0: no reload
  input  logic        golden_i,      // kind of the jitter: by the golden ratio, else at random
  input  logic [5:0]  jitter_bits_i,
  input  logic        seed_valid_i,  // takes seed_i; must come with each change of golden_i
  input  logic [31:0] seed_i,
  input  logic        reload_i,      // the counter goes on from here
  output logic        active_o,      // there is a period
  output word_t       below_o        // complement of the distance: one less than where the counter goes on from
);
  localparam int unsigned Ahead = 3, Settling = 2;
  localparam logic [31:0] Golden = 32'h9e37_79b9;  // 2^32 * (sqrt 5 - 1) / 2

  logic [5:0] bits_q;   // 32 at most
  logic [4:0] upper_q;  // number of the uppermost

  // ---- draw: a random number and whether its uppermost bit is 0, or the fraction after a reload and its carry ----
  logic [31:0] value, random;
  logic [32:0] drawn_q;
  logic middle_q;                  // golden: carry out of the sum's lower half, for the upper one a cycle later
  logic [Settling-1:0] fresh_q;    // the register is new since then
  logic reload_q, steps, fresh;
  assign steps = reload_q && golden_i && fresh_q == '0;
  assign fresh = seed_valid_i || steps;
  lfsr #(.Ahead(Ahead)) u_lfsr (
    .clk_i(clk_i), .rst_ni(rst_ni), .seed_valid_i(fresh), .seed_i(seed_valid_i ? seed_i : drawn_q[31:0]),
    .step_i(!golden_i && jitter_bits_i != '0), .value_o(value), .ahead_o(random)
  );

  // The carry goes in as a bit below: one adder, not three operands.
  function automatic logic [16:0] added(input logic [15:0] a, input logic [15:0] b, input logic carry);
    logic unused;
    {added, unused} = {1'b0, a, 1'b1} + {1'b0, b, carry};
  endfunction

  logic [16:0] golden_low, golden_high;
  assign golden_low = added(value[15:0], Golden[15:0], 1'b0);
  assign golden_high = added(value[31:16], Golden[31:16], middle_q);

  // ---- width ----
  typedef struct packed {
    logic        negative;  // what is added to the period is this, 33 bits wide, and the carry
    logic [31:0] low;
    logic        carry;
  } addend_t;

  // 2^(bits-1) taken from a random number of that many bits, without a subtraction: where the uppermost of them is 0 the
  // difference is negative.
  function automatic addend_t random_jitter(input logic [5:0] width, input logic negative, input logic [31:0] drawn);
    random_jitter = '0;
    if (width != '0) begin
      random_jitter.negative = negative;
      for (int b = 0; b < 32; b++) random_jitter.low[b] = 6'(b) + 6'd1 < width ? drawn[b] : negative;
    end
  endfunction

  // Of two offsets, the upper bits of fractions that are the ratio apart: the ratio's upper bits, minus 2^bits with a carry out of
  // the fraction, plus one with a carry out of the fraction's lower bits.
  function automatic addend_t golden_jitter(input logic [5:0] width, input logic [31:0] fraction, input logic [32:0] sum);
    logic [32:0] carries;  // bit i: into bit i of the sum
    carries = {1'b0, fraction} ^ {1'b0, Golden} ^ sum;
    golden_jitter = '0;
    golden_jitter.negative = sum[32] && width != '0;
    golden_jitter.carry = carries[6'd32-width];
    for (int i = 0; i < 32; i++) golden_jitter.low[i] = 6'(i) < width ? Golden[5'(i)-width[4:0]] : golden_jitter.negative;
  endfunction

  addend_t jitter_q;
  logic keep;  // the draw is of another kind, or its sum not there yet
  assign keep = golden_i ? fresh_q != '0 : fresh_q[0];

  // ---- the sum: both upper halves of its lower word are there before the carry ----
  logic [31:0] low_q;     // lower half of the distance
  logic more_q, less_q;   // what it does to the upper one
  logic [16:0] sum_low, sum_high, sum_higher;
  assign sum_low = added(period_i[15:0], jitter_q.low[15:0], jitter_q.carry);
  assign sum_high = added(period_i[31:16], jitter_q.low[31:16], 1'b0);
  assign sum_higher = added(period_i[31:16], jitter_q.low[31:16], 1'b1);

  // ---- the upper half is the period's, one more or one less ----
  if (MinPeriod != 16) begin : gen_min_period
    $error("near looks at the bits from MinPeriod's on");
  end
  word_t below_q;
  logic little, short, near, near_q;  // near_q: the distance is out of range
  logic [Ahead-1:0] active_q;
  logic [31:0] high;
  logic [3:0] low;
  assign little = low_q[31:4] == '0;
  assign short = period_i[63:4] == '0;  // the period is below MinPeriod
  always_comb begin
    high = period_i[63:32];
    near = period_i[63:32] == '0 && little;
    if (more_q) begin
      high = period_i[63:32] + 32'd1;
      near = &period_i[63:32];
    end else if (less_q) begin
      high = period_i[63:32] - 32'd1;
      near = period_i[63:32] == '0 || (period_i[63:32] == 32'd1 && little);
    end
    low = !near ? low_q[3:0] : short ? '0 : period_i[3:0];
  end

  always_ff @(posedge clk_i) begin
    if (!rst_ni) begin
      active_q <= '0;
      reload_q <= 1'b0;
      fresh_q <= '0;
    end else begin
      active_q <= {active_q[Ahead-2:0], period_i != '0};
      reload_q <= reload_i;
      fresh_q <= {fresh_q[Settling-2:0], fresh};
    end
    bits_q <= jitter_bits_i > 6'd32 ? 6'd32 : jitter_bits_i;
    upper_q <= jitter_bits_i > 6'd32 ? 5'd31 : 5'(jitter_bits_i - 6'd1);
    drawn_q <= golden_i ? {golden_high, golden_low[15:0]} : {!random[upper_q], random};
    middle_q <= golden_low[16];
    if (!keep) jitter_q <= golden_i ? golden_jitter(bits_q, value, drawn_q) : random_jitter(bits_q, drawn_q[32], drawn_q[31:0]);
    low_q <= {sum_low[16] ? sum_higher[15:0] : sum_high[15:0], sum_low[15:0]};
    more_q <= !jitter_q.negative && (sum_low[16] ? sum_higher[16] : sum_high[16]);
    less_q <= jitter_q.negative && !(sum_low[16] ? sum_higher[16] : sum_high[16]);
    below_q <= ~{high, low_q[31:4], low};
    near_q <= near;
  end

  assign active_o = active_q[Ahead-1];
  assign below_o = !near_q ? below_q : {~period_i[63:5], ~(period_i[4] || short), below_q[3:0]};
endmodule
