// Where the sampling counter goes on from when it overflows, worked out ahead of the overflow.
//
//   value --width--> jitter_q --+ period, lower half--> low_q --upper half, check--> below_q
//
// distance = period + jitter. There are two kinds of jitter:
// - random: uniform in [-2^(bits-1), 2^(bits-1)), the low bits of a shift register that steps in every cycle; 0 where bits is 0;
// - golden: the register is a fraction of 32 bits, to which each reload adds the golden ratio. Its upper bits are an offset in
//   [0, 2^bits), and the jitter is the next offset minus this one: trigger k comes after k periods and the offset at k times the
//   ratio, so that triggers go evenly through a loop of any length. Where bits is 0 the jitter is the fraction's carry, 0 or 1.
// A width above 32 is as 32. A distance that is not in [MinPeriod, 2^64) is replaced by the period, or by MinPeriod: no setting
// stops the sampling.
// Latency: period and jitter count from Ahead cycles after their write on; a reload before that may be by what was, or by parts of
// both. The random number is that of the cycle itself, counted from the seed: it is taken Ahead steps on. A reload within Ahead
// cycles of the one before takes its golden jitter again.
module sample_reload
  import core_pkg::*;
  import profile_pkg::*;
(
  input  logic        clk_i,
  input  logic        rst_ni,
  input  word_t       period_i,      // 0: no reload
  input  logic        golden_i,      // kind of the jitter: by the golden ratio, else at random
  input  logic [5:0]  jitter_bits_i,
  input  logic        seed_valid_i,
  input  logic [31:0] seed_i,
  input  logic        reload_i,      // the counter goes on from here
  output logic        active_o,      // there is a period
  output word_t       below_o        // complement of the distance: one less than where the counter goes on from
);
  localparam int unsigned Ahead = 3;
  localparam logic [31:0] Golden = 32'h9e37_79b9;  // 2^32 * (sqrt 5 - 1) / 2

  logic [31:0] value, random;
  logic [32:0] next;  // golden: the fraction after a reload, with its carry
  assign next = {1'b0, value} + {1'b0, Golden};
  lfsr #(.Ahead(Ahead)) u_lfsr (
    .clk_i(clk_i), .rst_ni(rst_ni), .seed_valid_i(seed_valid_i || (reload_i && golden_i)),
    .seed_i(seed_valid_i ? seed_i : next[31:0]), .step_i(!golden_i && jitter_bits_i != '0), .value_o(value),
    .ahead_o(random)
  );

  typedef struct packed {
    logic        negative;  // what is added to the period is this, 33 bits wide, and the carry
    logic [31:0] low;
    logic        carry;
  } addend_t;

  // 2^(bits-1) taken from a random number of that many bits, without a subtraction: where the uppermost of them is 0 the
  // difference is negative.
  function automatic addend_t random_jitter(input logic [5:0] bits, input logic [31:0] drawn);
    random_jitter = '0;
    if (bits != '0) begin
      random_jitter.negative = !drawn[5'(bits - 6'd1)];
      for (int i = 0; i < 32; i++) random_jitter.low[i] = 6'(i) + 6'd1 < bits ? drawn[i] : random_jitter.negative;
    end
  endfunction

  // Of two offsets, the upper bits of fractions that are the ratio apart: the ratio's upper bits, minus 2^bits with a carry out of
  // the fraction, plus one with a carry out of the fraction's lower bits.
  function automatic addend_t golden_jitter(input logic [5:0] bits, input logic [31:0] fraction, input logic [32:0] sum);
    logic [32:0] carries;  // bit i: into bit i of the sum
    carries = {1'b0, fraction} ^ {1'b0, Golden} ^ sum;
    golden_jitter = '0;
    golden_jitter.negative = sum[32] && bits != '0;
    golden_jitter.carry = carries[6'd32-bits];
    for (int i = 0; i < 32; i++) golden_jitter.low[i] = 6'(i) < bits ? Golden[5'(i)-bits[4:0]] : golden_jitter.negative;
  endfunction

  addend_t jitter_q;
  logic [5:0] bits;
  logic [32:0] low_q;  // lower half of the distance, and its carry
  logic negative_q;
  word_t distance, below_q;
  logic near;
  logic [Ahead-1:0] active_q;
  assign bits = jitter_bits_i > 6'd32 ? 6'd32 : jitter_bits_i;

  // The upper half is the period's, one more or one less.
  if (MinPeriod != 16) begin : gen_min_period
    $error("near looks at the bits from MinPeriod's on");
  end
  always_comb begin
    distance = {period_i[63:32], low_q[31:0]};
    near = 1'b0;
    if (low_q[32] && !negative_q) begin
      distance[63:32] = period_i[63:32] + 32'd1;
      near = &period_i[63:32];
    end else if (!low_q[32] && negative_q) begin
      distance[63:32] = period_i[63:32] - 32'd1;
      near = period_i[63:32] == '0 || (period_i[63:32] == 32'd1 && low_q[31:4] == '0);
    end else begin
      near = period_i[63:32] == '0 && low_q[31:4] == '0;
    end
    if (near) distance = period_i[63:4] != '0 ? period_i : 64'(MinPeriod);
  end

  always_ff @(posedge clk_i) begin
    if (!rst_ni) active_q <= '0;
    else active_q <= {active_q[Ahead-2:0], period_i != '0};
    jitter_q <= golden_i ? golden_jitter(bits, value, next) : random_jitter(bits, random);
    low_q <= 33'(period_i[31:0]) + 33'(jitter_q.low) + 33'(jitter_q.carry);
    negative_q <= jitter_q.negative;
    below_q <= ~distance;
  end

  assign active_o = active_q[Ahead-1];
  assign below_o = below_q;
endmodule
