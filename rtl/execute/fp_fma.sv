// Fused multiply-add, with addition, subtraction and multiplication as cases of it: one operation a cycle.
//
//   EX1: operands; unpack, special cases | EX2: multiply; align | EX3: add, normalise | EX4: round; result_o
//
// The sum is held in 184 bits, as three words, the upper one of 56. The product stays where it is, its exponent's bit
// at bit 124, so that only the addend is shifted, while the multiplication goes on: from where its exponent's bit is
// bit 181, to the right; what falls out is ORed into its last bit. That is enough: bits fall out only of an addend so
// much smaller (by more than 72) that a subtraction cancels one leading bit at most, and the last bit is then far below
// the ones that rounding looks at. An addend that is larger by more than 57 is not shifted further to the left: the
// product is then below all that rounding looks at, wherever it is. EX3 subtracts both ways at once, so that nothing is
// negated.
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
  localparam logic signed [13:0] FarLeft = 14'sd57;     // an addend begins so far to the left of the product's exponent

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

  // ---- EX2: product of 27- and 26-bit halves; align the addend ----
  logic [51:0] low;
  logic [63:0] middle;
  logic [53:0] high;
  logic [127:0] product;
  logic addend_far;
  logic signed [13:0] distance;  // how far the addend goes to the right
  logic [7:0] shift;
  logic [63:0] addend, moved, across, addend_hi, addend_lo;
  logic [55:0] addend_top;
  logic lost;
  always_comb begin
    low = '0;
    middle = '0;
    high = '0;
    product = '0;
    distance = '0;
    addend_far = 1'b0;
    shift = '0;
    addend = '0;
    moved = '0;
    across = '0;
    addend_top = '0;
    addend_hi = '0;
    addend_lo = '0;
    lost = 1'b0;
    if (valid2_q) begin
      // a = ah * 2^26 + al, b likewise: product << 20 = high << 72 + middle << 46 + low << 20, where high and low do
      // not overlap
      low = 52'(sig_a2_q[25:0]) * 52'(sig_b2_q[25:0]);
      middle = 64'(sig_a2_q[52:26]) * 64'(sig_b2_q[25:0]) + 64'(sig_a2_q[25:0]) * 64'(sig_b2_q[52:26]);
      high = 54'(sig_a2_q[52:26]) * 54'(sig_b2_q[52:26]);
      product = {2'b00, high, low, 20'd0} + {18'd0, middle, 46'd0};

      distance = 14'(exp_product2_q) - 14'(exp_addend2_q) + FarLeft;
      addend_far = distance[13];
      if (!addend_far) shift = distance > 14'sd255 ? 8'd255 : distance[7:0];
      addend = {10'd0, sig_c2_q, 1'b0};
      moved = addend >> shift[5:0];
      across = (addend << 1) << ~shift[5:0];  // what leaves the word: ~shift[5:0] is 63 - shift
      case (shift[7:6])
        2'd0: begin
          addend_top = moved[55:0];
          addend_hi = across;
        end
        2'd1: begin
          addend_hi = moved;
          addend_lo = across;
        end
        2'd2: begin
          addend_lo = moved;
          lost = across != '0;
        end
        default: lost = sig_c2_q != '0;
      endcase
      addend_lo[0] = addend_lo[0] || lost;
    end
  end

  logic valid3_q, subtract3_q, sign3_q;
  control_t control3_q;
  logic [183:0] addend3_q;
  logic [127:0] product3_q;
  logic signed [12:0] exp3_q;  // of bit 124
  always_ff @(posedge clk_i) begin
    valid3_q <= rst_ni && valid2_q;
    if (valid2_q) begin
      control3_q <= control2_q;
      subtract3_q <= sign_product2_q ^ sign_addend2_q;
      sign3_q <= sign_product2_q;
      exp3_q <= addend_far ? exp_addend2_q - 13'(FarLeft) : exp_product2_q;
      product3_q <= product;
      addend3_q <= {addend_top, addend_hi, addend_lo};
    end
  end

  // ---- EX3: add, or subtract both ways; bring the leading one to the top ----
  /* verilator lint_off UNUSEDSIGNAL */  // the last bit takes the carry in
  logic [184:0] sum;
  /* verilator lint_on UNUSEDSIGNAL */
  logic [183:0] other, magnitude;
  logic [63:0] top, upper, lower, sig;
  logic negative, top_zero, hi_zero, sign;
  logic [5:0] zeros;
  logic [7:0] leading;
  logic signed [12:0] exp;
  always_comb begin
    sum = '0;
    other = '0;
    magnitude = '0;
    top = '0;
    upper = '0;
    lower = '0;
    sig = '0;
    negative = 1'b0;
    top_zero = 1'b0;
    hi_zero = 1'b0;
    zeros = '0;
    leading = '0;
    exp = '0;
    sign = 1'b0;
    if (valid3_q) begin
      sum = {56'd0, product3_q, subtract3_q} + {addend3_q ^ {184{subtract3_q}}, subtract3_q};
      other = addend3_q - {56'd0, product3_q};
      negative = subtract3_q && sum[184];
      magnitude = negative ? other : sum[184:1];
      top = {8'd0, magnitude[183:128]};
      top_zero = top == '0;
      hi_zero = magnitude[127:64] == '0;
      upper = !top_zero ? top : !hi_zero ? magnitude[127:64] : magnitude[63:0];
      lower = !top_zero ? magnitude[127:64] : !hi_zero ? magnitude[63:0] : '0;
      zeros = fp_leading_zeros(upper);
      sig = (upper << zeros) | ((lower >> 1) >> ~zeros);
      sig[0] = sig[0] || (lower & ('1 >> zeros)) != '0 || (!top_zero && magnitude[63:0] != '0);
      leading = {!top_zero ? 2'd0 : !hi_zero ? 2'd1 : 2'd2, zeros};
      exp = exp3_q + 13'sd67 - $signed({5'd0, leading});
      sign = sign3_q ^ negative;
      // An exact zero out of unlike signs is positive, but negative when rounding down.
      if (subtract3_q && addend3_q == {56'd0, product3_q}) sign = control3_q.rm == RM_RDN;
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
