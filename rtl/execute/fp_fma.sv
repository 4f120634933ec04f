// Fused multiply-add, with addition, subtraction and multiplication as cases of it: one operation a cycle.
//
//   EX1: operands; unpack, special cases | EX2: multiply, align | EX3: add, normalise | EX4: round; result_o
//
// The sum is held in 128 bits, as two words. Product and addend start with their exponent's bit at bit 124, which
// leaves room for the carries; the one with the smaller exponent is shifted right, and what falls out is ORed into its
// last bit. That is enough: bits fall out only of an operand so much smaller (by more than 20 for the product, more
// than 72 for the addend) that a subtraction cancels one leading bit at most, and the last bit is then far below the
// ones that rounding looks at. The other operand's last bit is zero in that case, so the ORed bit survives.
module fp_fma
  import fp_pkg::*;
(
  input  logic clk_i,
  input  logic rst_ni,
  // EX1
  input  logic valid_i,
  input  fp_request_t request_i,
  // EX4
  output logic valid_o,
  output fp_result_t result_o
);
  localparam logic signed [12:0] ZeroExp = -13'sd4000;  // of a zero: below all others

  typedef struct packed {
    fp_format_e format;
    fp_rm_e rm;
    logic special, invalid;  // special: the result is known already
    logic is_nan;            // the special result: NaN, else infinity
    logic sign;              // of the special result
  } control_t;

  // ---- EX1 ----
  fp_operand_t a, b, c;
  logic sign_product, sign_addend;
  control_t control;
  always_comb begin
    a = '0;
    b = '0;
    c = '0;
    sign_product = 1'b0;
    sign_addend = 1'b0;
    control = '0;
    if (valid_i) begin
      a = fp_unpack(request_i.format, request_i.a);
      b = fp_unpack(request_i.format, request_i.b);
      if (request_i.op == FPU_ADD || request_i.op == FPU_SUB) begin
        c = b;
        b = FpOne;
      end else if (request_i.op != FPU_MUL) c = fp_unpack(request_i.format, request_i.c);
      sign_product = a.sign ^ b.sign ^ (request_i.op == FPU_NMSUB || request_i.op == FPU_NMADD);
      sign_addend = c.sign ^ (request_i.op == FPU_MSUB || request_i.op == FPU_NMADD || request_i.op == FPU_SUB);
      if (request_i.op == FPU_MUL) begin
        c.zero = 1'b1;
        sign_addend = sign_product;  // so that a zero product keeps its sign
      end
      control.format = request_i.format;
      control.rm = request_i.rm;
      control.is_nan = a.nan || b.nan || c.nan;
      control.invalid = a.snan || b.snan || c.snan || (a.inf && b.zero) || (a.zero && b.inf) ||
                        (!control.is_nan && (a.inf || b.inf) && c.inf && sign_product != sign_addend);
      control.is_nan |= control.invalid;
      control.special = control.is_nan || a.inf || b.inf || c.inf;
      control.sign = c.inf ? sign_addend : sign_product;
    end
  end

  logic valid2_q, sign_product2_q, sign_addend2_q;
  control_t control2_q;
  logic [52:0] sig_a2_q, sig_b2_q, sig_c2_q;
  logic signed [12:0] exp_product2_q, exp_addend2_q;
  always_ff @(posedge clk_i) begin
    valid2_q <= rst_ni && valid_i;
    if (valid_i) begin
      control2_q <= control;
      sign_product2_q <= sign_product;
      sign_addend2_q <= sign_addend;
      sig_a2_q <= a.sig;
      sig_b2_q <= b.sig;
      sig_c2_q <= c.sig;
      exp_product2_q <= a.zero || b.zero ? ZeroExp : a.exp + b.exp;
      exp_addend2_q <= c.zero ? ZeroExp : c.exp;
    end
  end

  // ---- EX2: product of 27- and 26-bit halves; align ----
  logic [63:0] low, middle, product_hi, product_lo;
  logic [53:0] high;
  logic addend_larger;
  logic signed [13:0] distance;
  logic [6:0] shift;
  logic [63:0] big_hi, big_lo, small_hi, small_lo, moved_hi, moved_lo, across, lost;
  always_comb begin
    low = '0;
    middle = '0;
    high = '0;
    product_hi = '0;
    product_lo = '0;
    distance = '0;
    addend_larger = 1'b0;
    shift = '0;
    big_hi = '0;
    big_lo = '0;
    small_hi = '0;
    small_lo = '0;
    moved_hi = '0;
    moved_lo = '0;
    across = '0;
    lost = '0;
    if (valid2_q) begin
      // a = ah * 2^26 + al, b likewise: product << 20 = high << 72 + middle << 46 + low << 20
      low = 64'(sig_a2_q[25:0]) * 64'(sig_b2_q[25:0]);
      middle = 64'(sig_a2_q[52:26]) * 64'(sig_b2_q[25:0]) + 64'(sig_a2_q[25:0]) * 64'(sig_b2_q[52:26]);
      high = 54'(sig_a2_q[52:26]) * 54'(sig_b2_q[52:26]);
      // Two steps: middle + low >> 26 still fits in 64 bits, and the rest does not overlap.
      middle = middle + (low >> 26);
      product_hi = {2'b00, high, 8'd0} + (middle >> 18);
      product_lo = {middle[17:0], low[25:0], 20'd0};

      distance = 14'(exp_product2_q) - 14'(exp_addend2_q);
      addend_larger = distance[13];
      if (addend_larger) distance = -distance;
      shift = distance > 14'sd127 ? 7'd127 : distance[6:0];
      big_hi = addend_larger ? {3'd0, sig_c2_q, 8'd0} : product_hi;
      big_lo = addend_larger ? '0 : product_lo;
      small_hi = addend_larger ? product_hi : {3'd0, sig_c2_q, 8'd0};
      small_lo = addend_larger ? product_lo : '0;
      across = (small_hi << 1) << ~shift[5:0];  // what leaves the upper word: ~shift[5:0] is 63 - shift
      if (shift[6]) begin
        moved_lo = small_hi >> shift[5:0];
        lost = across | small_lo;
      end else begin
        moved_hi = small_hi >> shift[5:0];
        moved_lo = across | (small_lo >> shift[5:0]);
        lost = (small_lo << 1) << ~shift[5:0];
      end
      moved_lo[0] = moved_lo[0] || lost != '0;
    end
  end

  logic valid3_q, subtract3_q, sign3_q;
  control_t control3_q;
  logic [63:0] big_hi3_q, big_lo3_q, small_hi3_q, small_lo3_q;
  logic signed [12:0] exp3_q;
  always_ff @(posedge clk_i) begin
    valid3_q <= rst_ni && valid2_q;
    if (valid2_q) begin
      control3_q <= control2_q;
      subtract3_q <= sign_product2_q ^ sign_addend2_q;
      sign3_q <= addend_larger ? sign_addend2_q : sign_product2_q;
      exp3_q <= addend_larger ? exp_addend2_q : exp_product2_q;
      big_hi3_q <= big_hi;
      big_lo3_q <= big_lo;
      small_hi3_q <= moved_hi;
      small_lo3_q <= moved_lo;
    end
  end

  // ---- EX3: add or subtract, make positive, bring the leading one to the top ----
  logic [63:0] sum_hi, sum_lo, sig;
  logic negative, zero, upper_zero, sign;
  logic [5:0] zeros;
  logic signed [12:0] exp;
  always_comb begin
    sum_hi = '0;
    sum_lo = '0;
    sig = '0;
    negative = 1'b0;
    zero = 1'b0;
    upper_zero = 1'b0;
    zeros = '0;
    exp = '0;
    sign = 1'b0;
    if (valid3_q) begin
      if (subtract3_q) begin
        sum_lo = big_lo3_q - small_lo3_q;
        sum_hi = big_hi3_q - small_hi3_q - 64'(big_lo3_q < small_lo3_q);
      end else begin
        sum_lo = big_lo3_q + small_lo3_q;
        sum_hi = big_hi3_q + small_hi3_q + 64'(sum_lo < big_lo3_q);
      end
      negative = sum_hi[63];
      if (negative) begin
        sum_hi = ~sum_hi + 64'(sum_lo == '0);
        sum_lo = -sum_lo;
      end
      zero = sum_hi == '0 && sum_lo == '0;
      upper_zero = sum_hi == '0;
      zeros = fp_leading_zeros(upper_zero ? sum_lo : sum_hi);
      if (upper_zero) sig = sum_lo << zeros;
      else begin
        sig = (sum_hi << zeros) | ((sum_lo >> 1) >> ~zeros);
        sig[0] = sig[0] || (sum_lo << zeros) != '0;
      end
      exp = exp3_q + 13'sd3 - $signed({6'd0, upper_zero, zeros});
      sign = sign3_q ^ negative;
      // An exact zero out of unlike signs is positive, but negative when rounding down.
      if (zero && subtract3_q) sign = control3_q.rm == RM_RDN;
    end
  end

  logic valid4_q, sign4_q;
  control_t control4_q;
  logic [63:0] sig4_q;
  logic signed [12:0] exp4_q;
  always_ff @(posedge clk_i) begin
    valid4_q <= rst_ni && valid3_q;
    if (valid3_q) begin
      control4_q <= control3_q;
      sign4_q <= sign;
      sig4_q <= sig;
      exp4_q <= exp;
    end
  end

  // ---- EX4 ----
  fp_result_t rounded;
  fp_round u_round (
    .valid_i(valid4_q),
    .format_i(control4_q.format),
    .rm_i(control4_q.rm),
    .sign_i(sign4_q),
    .exp_i(exp4_q),
    .sig_i(sig4_q),
    .result_o(rounded)
  );

  assign valid_o = valid4_q;
  always_comb begin
    result_o = rounded;
    if (control4_q.special) begin
      result_o.flags = '0;
      result_o.flags.nv = control4_q.invalid;
      result_o.value = control4_q.is_nan ? fp_canonical_nan(control4_q.format)
                                         : fp_infinity(control4_q.format, control4_q.sign);
    end
  end
endmodule
