// Division and square root: one at a time, digit by digit, two result bits a cycle.
//
//   EX: operands; unpack, special cases | steps: 28 cycles for double, 13 for single, fewer if the remainder becomes
//   zero, none for special cases | result_o until it is taken
//
// Both are the same recurrence in fixed point with 2^0 at bit 56. `digit_q` is the weight of the next result bit. It
// belongs to the result if what it takes away still goes: for a quotient the divisor, for a root (root + digit)^2 -
// root^2 = digit * (2 * root + digit). The remainder is held divided by the digit's weight, so it shifts left by one
// in each step and the trial is the divisor, or 2 * root + digit. It stays below 16 * 2^56.
// Flush drops the operation under way; one that arrives in the same cycle is not meant by it.
module fp_divsqrt
  import fp_pkg::*;
(
  input  logic clk_i,
  input  logic rst_ni,
  input  logic flush_i,
  // EX
  input  logic valid_i,
  input  fp_request_t request_i,
  output logic ready_o,
  // result: held until taken
  output logic valid_o,
  input  logic ready_i,
  output fp_result_t result_o
);
  typedef enum logic [1:0] { IDLE, STEP, DONE } state_e;
  state_e state_q;

  typedef struct packed {
    fp_format_e format;
    fp_rm_e rm;
    logic sqrt, sign;
    logic is_nan, is_inf, is_zero;  // special results
    logic nv, dz;
  } control_t;

  // ---- operands ----
  logic start, special;
  fp_operand_t a, b;
  control_t control;
  logic signed [12:0] exp;
  always_comb begin
    start = valid_i && ready_o;
    a = '0;
    b = '0;
    control = '0;
    exp = '0;
    if (start) begin
      a = fp_unpack(request_i.format, request_i.a);
      control.format = request_i.format;
      control.rm = request_i.rm;
      control.sqrt = request_i.op == FPU_SQRT;
      if (control.sqrt) begin
        control.sign = a.sign;  // that of a zero
        control.nv = a.snan || (a.sign && !a.zero && !a.nan);
        control.is_nan = a.nan || control.nv;
        control.is_inf = a.inf;
        control.is_zero = a.zero;
        exp = a.exp >>> 1;
      end else begin
        b = fp_unpack(request_i.format, request_i.b);
        control.sign = a.sign ^ b.sign;
        control.nv = a.snan || b.snan || (!a.nan && !b.nan && ((a.zero && b.zero) || (a.inf && b.inf)));
        control.is_nan = a.nan || b.nan || control.nv;
        control.is_inf = a.inf || b.zero;
        control.is_zero = a.zero || b.inf;
        control.dz = b.zero && !a.inf && !control.is_nan;
        exp = a.exp - b.exp;
      end
    end
    special = control.is_nan || control.is_inf || control.is_zero;
  end

  // ---- two steps a cycle ----
  control_t control_q;
  logic signed [12:0] exp_q;
  logic [60:0] rem_q, rem_1, rem_2, trial_1, trial_2;
  logic [56:0] result_q, result_1, result_2, digit_q;
  logic [52:0] divisor_q;
  logic bit_1, bit_2, last;
  always_comb begin
    trial_1 = '0;
    trial_2 = '0;
    bit_1 = 1'b0;
    bit_2 = 1'b0;
    rem_1 = '0;
    rem_2 = '0;
    result_1 = '0;
    result_2 = '0;
    last = 1'b0;
    if (state_q == STEP) begin
      trial_1 = control_q.sqrt ? {3'd0, result_q, 1'b0} | {4'd0, digit_q} : {4'd0, divisor_q, 4'd0};
      bit_1 = rem_q >= trial_1;
      rem_1 = (bit_1 ? rem_q - trial_1 : rem_q) << 1;
      result_1 = bit_1 ? result_q | digit_q : result_q;
      trial_2 = control_q.sqrt ? {3'd0, result_1, 1'b0} | {5'd0, digit_q[56:1]} : {4'd0, divisor_q, 4'd0};
      bit_2 = rem_1 >= trial_2;
      rem_2 = (bit_2 ? rem_1 - trial_2 : rem_1) << 1;
      result_2 = bit_2 ? result_1 | (digit_q >> 1) : result_1;
      // One bit for a quotient below one, one for rounding: 55 or 26 bits are enough.
      last = rem_2 == '0 || (control_q.format == FMT_D ? digit_q[2] : digit_q[32]);
    end
  end

  always_ff @(posedge clk_i) begin
    if (!rst_ni) state_q <= IDLE;
    else
      case (state_q)
        IDLE: if (start) state_q <= special ? DONE : STEP;
        STEP:
          if (flush_i) state_q <= IDLE;
          else if (last) state_q <= DONE;
        default: if (flush_i || ready_i) state_q <= IDLE;
      endcase
  end

  always_ff @(posedge clk_i)
    if (start) begin
      control_q <= control;
      exp_q <= exp;
      // An odd exponent leaves one factor of two to the radicand.
      rem_q <= control.sqrt && a.exp[0] ? {3'd0, a.sig, 5'd0} : {4'd0, a.sig, 4'd0};
      divisor_q <= b.sig;
      result_q <= '0;
      digit_q <= 57'd1 << 56;
    end else if (state_q == STEP) begin
      rem_q <= rem_2;
      result_q <= result_2;
      digit_q <= digit_q >> 2;
    end

  // ---- round: a quotient of significands may be below one, but not below one half ----
  logic below_one;
  logic [57:0] sig;
  logic signed [12:0] round_exp;
  always_comb begin
    below_one = !result_q[56];
    sig = below_one ? {result_q[55:0], 2'b00} : {result_q, 1'b0};
    sig[0] = rem_q != '0;
    round_exp = exp_q - $signed({12'd0, below_one});
  end

  fp_result_t rounded;
  fp_round #(
    .Width(58)
  ) u_round (
    .valid_i(state_q == DONE),
    .format_i(control_q.format),
    .rm_i(control_q.rm),
    .sign_i(control_q.sign),
    .exp_i(round_exp),
    .sig_i(sig),
    .result_o(rounded)
  );

  assign ready_o = state_q == IDLE;
  assign valid_o = state_q == DONE && !flush_i;
  always_comb begin
    result_o = rounded;
    if (control_q.is_nan || control_q.is_inf || control_q.is_zero) result_o.flags = '0;
    if (control_q.is_nan) result_o.value = fp_canonical_nan(control_q.format);
    else if (control_q.is_inf) result_o.value = fp_infinity(control_q.format, control_q.sign);
    else if (control_q.is_zero) result_o.value = fp_zero(control_q.format, control_q.sign);
    result_o.flags.nv = control_q.nv;
    result_o.flags.dz = control_q.dz;
  end

  `include "assert.svh"
  `ASSERT(OneAtATime, !(valid_i && !ready_o))
endmodule
