// Rounding and packing, shared by all units that make floating-point numbers: combinational.
//
// In: a normalised significand (its leading one at the top; all zero means an exact zero of the given sign) with
// everything below what is kept ORed into bit 0, and the exponent of the leading one, unbounded. Out: the packed
// number, NaN-boxed if single, and of, uf, nx. Tininess is detected after rounding: a number is tiny if it stays
// below the smallest normal one when rounded to full precision as if the exponent had no bounds.
module fp_round
  import fp_pkg::*;
#(
  parameter int unsigned Width = 64  // of the significand, 56..64: two bits more than double keeps, and sticky
) (
  input  logic valid_i,  // else nothing is computed
  input  fp_format_e format_i,
  input  fp_rm_e rm_i,
  input  logic sign_i,
  input  logic signed [12:0] exp_i,
  input  logic [Width-1:0] sig_i,
  output fp_result_t result_o
);
  logic is_double;
  assign is_double = format_i == FMT_D;

  // Align: the kept bits end at bit 11 in both formats; subnormals go further right. Round. Pack: a carry out of the
  // fraction steps the exponent, from subnormal to normal too.
  logic signed [12:0] below;  // by how much the exponent is under the smallest normal one
  logic subnormal, half, sticky, up, exact, all_ones, tiny, overflow, to_infinity;
  logic [5:0] shift;
  logic [63:0] full, lost;
  /* verilator lint_off UNUSEDSIGNAL */  // the leading one is not stored; too large exponents are recognised apart
  logic [63:0] aligned;
  logic signed [12:0] biased;
  /* verilator lint_on UNUSEDSIGNAL */
  logic [62:0] packed_d;
  logic [30:0] packed_s;
  always_comb begin
    below = '0;
    subnormal = 1'b0;
    shift = '0;
    full = '0;
    aligned = '0;
    lost = '0;
    half = 1'b0;
    sticky = 1'b0;
    exact = 1'b0;
    up = 1'b0;
    all_ones = 1'b0;
    tiny = 1'b0;
    biased = '0;
    packed_d = '0;
    packed_s = '0;
    overflow = 1'b0;
    to_infinity = 1'b0;
    if (valid_i) begin
      below = (is_double ? -13'sd1022 : -13'sd126) - exp_i;
      subnormal = below > 13'sd0;
      if (subnormal) shift = below > 13'sd63 ? 6'd63 : below[5:0];
      full = 64'(sig_i) << (64 - Width);
      if (!is_double) full = {29'd0, full[63:30], |full[29:0]};
      aligned = full >> shift;
      lost = (full << 1) << ~shift;  // ~shift is 63 - shift

      half = aligned[10];
      sticky = aligned[9:0] != '0 || lost != '0;
      exact = !half && !sticky;
      up = fp_rounds_up(rm_i, sign_i, aligned[11], half, sticky);
      // One below the smallest normal exponent, rounding at full precision may still reach it.
      all_ones = is_double ? full[63:11] == '1 : full[34:11] == '1;
      tiny = subnormal &&
             !(below == 13'sd1 && all_ones && fp_rounds_up(rm_i, sign_i, 1'b1, full[10], full[9:0] != '0));

      biased = subnormal ? 13'sd0 : exp_i + (is_double ? 13'sd1023 : 13'sd127);
      packed_d = {biased[10:0], aligned[62:11]} + 63'(up);
      packed_s = {biased[7:0], aligned[33:11]} + 31'(up);
      if (is_double) overflow = exp_i > 13'sd1023 || packed_d[62:52] == '1;
      else overflow = exp_i > 13'sd127 || packed_s[30:23] == '1;
      to_infinity = rm_i == RM_RNE || rm_i == RM_RMM || (rm_i == RM_RUP && !sign_i) || (rm_i == RM_RDN && sign_i);
    end
  end

  always_comb begin
    result_o.flags = '0;
    result_o.value = fp_zero(format_i, sign_i);
    if (valid_i && sig_i[Width-1]) begin
      result_o.flags.of = overflow;
      result_o.flags.uf = tiny && !exact;
      result_o.flags.nx = overflow || !exact;
      result_o.value = is_double ? {sign_i, packed_d} : {32'hffff_ffff, sign_i, packed_s};
      if (overflow) begin
        // The largest finite number is one unit below infinity.
        result_o.value = fp_infinity(format_i, sign_i);
        if (!to_infinity) result_o.value = result_o.value - 64'd1;
      end
    end
  end
endmodule
