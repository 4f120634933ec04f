// Floating point: formats, rounding modes, operations, the form in which the units hold operands, and small functions.
//
// All units work on one internal form for single and double: a significand whose leading one is at the top, and an
// unbounded signed exponent. Subnormals are normalised when unpacked; fp_round puts them back.
package fp_pkg;
  typedef enum logic { FMT_S = 1'b0, FMT_D = 1'b1 } fp_format_e;

  // As in frm and in the rm field; a dynamic mode has been resolved before.
  typedef enum logic [2:0] {
    RM_RNE = 3'd0,
    RM_RTZ = 3'd1,
    RM_RDN = 3'd2,
    RM_RUP = 3'd3,
    RM_RMM = 3'd4
  } fp_rm_e;

  // Bit order of fflags.
  typedef struct packed {
    logic nv, dz, of, uf, nx;
  } fp_flags_t;

  // Operands in the order of the instruction's rs1, rs2, rs3. The format is the one of the result, or of the operands
  // where the result is an integer; FPU_F_TO_F converts from the other format.
  typedef enum logic [5:0] {
    FPU_MADD,   // a * b + c
    FPU_MSUB,   // a * b - c
    FPU_NMSUB,  // -(a * b) + c
    FPU_NMADD,  // -(a * b) - c
    FPU_ADD,
    FPU_SUB,
    FPU_MUL,
    FPU_DIV,
    FPU_SQRT,
    FPU_SGNJ,
    FPU_SGNJN,
    FPU_SGNJX,
    FPU_MIN,
    FPU_MAX,
    FPU_X_TO_F_BITS,  // fmv.w.x, fmv.d.x
    FPU_W_TO_F,
    FPU_WU_TO_F,
    FPU_L_TO_F,
    FPU_LU_TO_F,
    FPU_F_TO_F,
    FPU_EQ,  // from here on the result is an integer
    FPU_LT,
    FPU_LE,
    FPU_CLASS,
    FPU_F_TO_X_BITS,  // fmv.x.w, fmv.x.d
    FPU_F_TO_W,
    FPU_F_TO_WU,
    FPU_F_TO_L,
    FPU_F_TO_LU
  } fp_op_e;

  typedef struct packed {
    fp_op_e op;
    fp_format_e format;
    fp_rm_e rm;
    logic [63:0] a, b, c;
  } fp_request_t;

  typedef struct packed {
    logic [63:0] value;
    fp_flags_t flags;
  } fp_result_t;

  // value = sig / 2^52 * 2^exp; sig[52] is set unless the value is zero. With zero, inf and nan sig and exp are zero.
  typedef struct packed {
    logic sign, zero, inf, nan, snan;
    logic signed [12:0] exp;
    logic [52:0] sig;
  } fp_operand_t;

  localparam logic [63:0] CanonicalNanD = 64'h7ff8_0000_0000_0000;
  localparam logic [63:0] CanonicalNanS = 64'hffff_ffff_7fc0_0000;
  localparam fp_operand_t FpOne = '{sign: 1'b0, zero: 1'b0, inf: 1'b0, nan: 1'b0, snan: 1'b0, exp: 13'sd0,
                                    sig: 53'h10_0000_0000_0000};

  function automatic logic [63:0] fp_canonical_nan(fp_format_e format);
    return format == FMT_D ? CanonicalNanD : CanonicalNanS;
  endfunction

  function automatic logic [63:0] fp_infinity(fp_format_e format, logic sign);
    return format == FMT_D ? {sign, 11'h7ff, 52'd0} : {32'hffff_ffff, sign, 8'hff, 23'd0};
  endfunction

  function automatic logic [63:0] fp_zero(fp_format_e format, logic sign);
    return format == FMT_D ? {sign, 63'd0} : {32'hffff_ffff, sign, 31'd0};
  endfunction

  // A single that is not NaN-boxed counts as the canonical NaN.
  function automatic logic [63:0] fp_unbox(fp_format_e format, logic [63:0] value);
    return format == FMT_S && value[63:32] != '1 ? CanonicalNanS : value;
  endfunction

  // 63 also for zero
  function automatic logic [5:0] fp_leading_zeros(logic [63:0] value);
    logic [63:0] x;
    logic [5:0] n;
    x = value;
    n[5] = x[63:32] == '0;
    if (n[5]) x = x << 32;
    n[4] = x[63:48] == '0;
    if (n[4]) x = x << 16;
    n[3] = x[63:56] == '0;
    if (n[3]) x = x << 8;
    n[2] = x[63:60] == '0;
    if (n[2]) x = x << 4;
    n[1] = x[63:62] == '0;
    if (n[1]) x = x << 2;
    n[0] = !x[63];
    return n;
  endfunction

  function automatic fp_operand_t fp_unpack(fp_format_e format, logic [63:0] value);
    fp_operand_t r;
    logic exp_zero, exp_ones, frac_zero;
    logic [63:0] frac;  // leading fraction bit at the top
    logic [5:0] zeros;
    logic [63:0] v;
    v = fp_unbox(format, value);
    r = '0;
    if (format == FMT_D) begin
      r.sign = v[63];
      exp_zero = v[62:52] == '0;
      exp_ones = v[62:52] == '1;
      frac = {v[51:0], 12'd0};
      r.exp = $signed({2'b0, v[62:52]}) - 13'sd1023;
    end else begin
      r.sign = v[31];
      exp_zero = v[30:23] == '0;
      exp_ones = v[30:23] == '1;
      frac = {v[22:0], 41'd0};
      r.exp = $signed({5'b0, v[30:23]}) - 13'sd127;
    end
    frac_zero = frac == '0;
    r.zero = exp_zero && frac_zero;
    r.inf = exp_ones && frac_zero;
    r.nan = exp_ones && !frac_zero;
    r.snan = r.nan && !frac[63];
    r.sig = {1'b1, frac[63:12]};
    if (r.zero || exp_ones) begin
      r.exp = '0;
      r.sig = '0;
    end else if (exp_zero) begin
      // The biased exponent 0 has the weight of 1, and its first bit is one below.
      zeros = fp_leading_zeros(frac);
      frac = frac << zeros;
      r.sig = frac[63:11];
      r.exp = r.exp - $signed({7'd0, zeros});
    end
    return r;
  endfunction

  // Does rounding add one to the magnitude? lsb: last kept bit; half: the first lost one; sticky: any after it.
  function automatic logic fp_rounds_up(fp_rm_e rm, logic sign, logic lsb, logic half, logic sticky);
    case (rm)
      RM_RNE: return half && (sticky || lsb);
      RM_RDN: return sign && (half || sticky);
      RM_RUP: return !sign && (half || sticky);
      RM_RMM: return half;
      default: return 1'b0;
    endcase
  endfunction
endpackage
