// Conversions: integers to floating point and back, single to double and back. One operation a cycle.
//
//   EX1: operand; unpack, align | EX2: round; result_o
//
// To an integer: the number is held as whole part and two bits of fraction. Out of range (after rounding) gives the
// nearest representable integer and nv alone, a NaN the largest. 32-bit results are sign-extended, unsigned ones too.
module fp_int
  import fp_pkg::*;
(
  input  logic clk_i,
  input  logic rst_ni,
  // EX1
  input  logic valid_i,
  input  fp_request_t request_i,
  // EX2
  output logic valid_o,
  output fp_result_t result_o
);
  typedef struct packed {
    fp_format_e format;
    fp_rm_e rm;
    logic to_int, is_signed, is_word;
    logic sign, nan, snan, inf;
    logic too_large;     // whole part of 2^64 or more
    logic half, sticky;  // fraction of the magnitude
  } control_t;

  // ---- EX1 ----
  control_t control;
  fp_operand_t x;
  logic [63:0] magnitude, sig, left, fraction;
  logic [5:0] zeros, right;
  logic signed [12:0] exp;
  always_comb begin
    control = '0;
    x = '0;
    magnitude = '0;
    sig = '0;
    left = '0;
    fraction = '0;
    zeros = '0;
    right = '0;
    exp = '0;
    if (valid_i) begin
      control.format = request_i.format;
      control.rm = request_i.rm;
      case (request_i.op)
        FPU_W_TO_F, FPU_WU_TO_F, FPU_L_TO_F, FPU_LU_TO_F: begin
          case (request_i.op)
            FPU_W_TO_F: magnitude = {{32{request_i.a[31]}}, request_i.a[31:0]};
            FPU_WU_TO_F: magnitude = {32'd0, request_i.a[31:0]};
            default: magnitude = request_i.a;
          endcase
          control.sign = magnitude[63] && request_i.op != FPU_LU_TO_F;
          if (control.sign) magnitude = -magnitude;
          zeros = fp_leading_zeros(magnitude);
          sig = magnitude << zeros;
          exp = 13'sd63 - $signed({7'd0, zeros});
        end
        FPU_F_TO_F: begin
          x = fp_unpack(request_i.format == FMT_D ? FMT_S : FMT_D, request_i.a);
          control.sign = x.sign;
          sig = {x.sig, 11'd0};
          exp = x.exp;
        end
        default: begin
          x = fp_unpack(request_i.format, request_i.a);
          control.to_int = 1'b1;
          control.is_signed = request_i.op == FPU_F_TO_W || request_i.op == FPU_F_TO_L;
          control.is_word = request_i.op == FPU_F_TO_W || request_i.op == FPU_F_TO_WU;
          control.sign = x.sign;
          left = {x.sig, 11'd0};  // the value's bits if exp is 63
          control.too_large = x.exp > 13'sd63;
          right = ~x.exp[5:0];  // 63 - exp for exp in 0..63
          if (x.exp >= 13'sd0) begin
            sig = left >> right;
            fraction = (left << 1) << x.exp[5:0];
          end else if (x.exp == -13'sd1) fraction = left;
          else fraction = 64'(!x.zero);
          control.half = fraction[63];
          control.sticky = fraction[62:0] != '0;
        end
      endcase
      control.nan = x.nan;
      control.snan = x.snan;
      control.inf = x.inf;
    end
  end

  logic valid2_q;
  control_t control2_q;
  logic [63:0] sig2_q;
  logic signed [12:0] exp2_q;
  always_ff @(posedge clk_i) begin
    valid2_q <= rst_ni && valid_i;
    if (valid_i) begin
      control2_q <= control;
      sig2_q <= sig;
      exp2_q <= exp;
    end
  end

  // ---- EX2 ----
  fp_result_t rounded;
  fp_round u_round (
    .valid_i(valid2_q),
    .format_i(control2_q.format),
    .rm_i(control2_q.rm),
    .sign_i(control2_q.sign),
    .exp_i(exp2_q),
    .sig_i(sig2_q),
    .result_o(rounded)
  );

  // A whole part of 2^63 or more leaves no fraction, so this sum never carries out.
  logic [63:0] whole, limit, highest, lowest;
  logic invalid;
  always_comb begin
    whole = sig2_q + 64'(fp_rounds_up(control2_q.rm, control2_q.sign, sig2_q[0], control2_q.half, control2_q.sticky));
    case ({control2_q.is_signed, control2_q.is_word})
      2'b11: highest = 64'h0000_0000_7fff_ffff;
      2'b10: highest = 64'h7fff_ffff_ffff_ffff;
      2'b01: highest = 64'h0000_0000_ffff_ffff;
      default: highest = '1;
    endcase
    lowest = control2_q.is_signed ? ~highest : '0;
    limit = control2_q.sign ? -lowest : highest;  // of the magnitude
    invalid = control2_q.nan || control2_q.inf || control2_q.too_large || whole > limit;
  end

  assign valid_o = valid2_q;
  always_comb begin
    if (control2_q.to_int) begin
      result_o.flags = '0;
      if (invalid) begin
        result_o.value = control2_q.sign && !control2_q.nan ? lowest : highest;
        result_o.flags.nv = 1'b1;
      end else begin
        result_o.value = control2_q.sign ? -whole : whole;
        result_o.flags.nx = control2_q.half || control2_q.sticky;
      end
      if (control2_q.is_word) result_o.value = {{32{result_o.value[31]}}, result_o.value[31:0]};
    end else begin
      result_o = rounded;
      if (control2_q.nan) result_o.value = fp_canonical_nan(control2_q.format);
      else if (control2_q.inf) result_o.value = fp_infinity(control2_q.format, control2_q.sign);
      result_o.flags.nv = control2_q.snan;
    end
  end
endmodule
