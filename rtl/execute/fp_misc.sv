// Floating-point operations that do not round: sign injection, minimum and maximum, comparison, classification, moves
// between the register files. Combinational.
//
// Minimum and maximum are minimumNumber and maximumNumber of IEEE 754-2019 (version 2.2 of F and D): a NaN gives way to
// a number, -0 is less than +0. The quiet comparison is feq; flt and fle raise nv for every NaN.
module fp_misc
  import fp_pkg::*;
(
  input  logic valid_i,
  input  fp_request_t request_i,
  output fp_result_t result_o
);
  logic is_double;
  assign is_double = request_i.format == FMT_D;

  // Sign and magnitude, a single's in the lower half.
  logic [63:0] a, b;
  logic sign_a, sign_b;
  logic [62:0] mag_a, mag_b, infinity;
  always_comb begin
    a = fp_unbox(request_i.format, request_i.a);
    b = fp_unbox(request_i.format, request_i.b);
    sign_a = is_double ? a[63] : a[31];
    sign_b = is_double ? b[63] : b[31];
    mag_a = is_double ? a[62:0] : {32'd0, a[30:0]};
    mag_b = is_double ? b[62:0] : {32'd0, b[30:0]};
    infinity = is_double ? {11'h7ff, 52'd0} : {32'd0, 8'hff, 23'd0};
  end

  logic nan_a, nan_b, quiet_a, signalling, less, equal;
  always_comb begin
    nan_a = mag_a > infinity;
    nan_b = mag_b > infinity;
    quiet_a = is_double ? a[51] : a[22];
    signalling = (nan_a && !quiet_a) || (nan_b && !(is_double ? b[51] : b[22]));
    // As numbers of sign and magnitude, so -0 < +0; comparisons take the zeros as equal.
    less = sign_a != sign_b ? sign_a : sign_a ? mag_a > mag_b : mag_a < mag_b;
    equal = (mag_a == mag_b && sign_a == sign_b) || (mag_a == '0 && mag_b == '0);
  end

  logic [9:0] class_mask;
  logic normal;
  always_comb begin
    normal = is_double ? mag_a[62:52] != '0 : mag_a[30:23] != '0;
    class_mask = '0;
    if (nan_a) begin
      class_mask[8] = !quiet_a;
      class_mask[9] = quiet_a;
    end else if (mag_a == infinity) class_mask[sign_a ? 0 : 7] = 1'b1;
    else if (normal) class_mask[sign_a ? 1 : 6] = 1'b1;
    else if (mag_a != '0) class_mask[sign_a ? 2 : 5] = 1'b1;
    else class_mask[sign_a ? 3 : 4] = 1'b1;
  end

  logic sign, take_a;
  always_comb begin
    sign = 1'b0;
    take_a = 1'b0;
    result_o = '0;
    if (valid_i)
      case (request_i.op)
        FPU_SGNJ, FPU_SGNJN, FPU_SGNJX: begin
          sign = sign_b;
          if (request_i.op == FPU_SGNJN) sign = !sign_b;
          if (request_i.op == FPU_SGNJX) sign = sign_a ^ sign_b;
          result_o.value = is_double ? {sign, a[62:0]} : {32'hffff_ffff, sign, a[30:0]};
        end
        FPU_MIN, FPU_MAX: begin
          take_a = nan_b || (less == (request_i.op == FPU_MIN));
          if (nan_a) take_a = 1'b0;
          result_o.value = take_a ? a : b;
          if (nan_a && nan_b) result_o.value = fp_canonical_nan(request_i.format);
          result_o.flags.nv = signalling;
        end
        FPU_EQ: begin
          result_o.value = 64'(equal && !nan_a && !nan_b);
          result_o.flags.nv = signalling;
        end
        FPU_LT: begin
          result_o.value = 64'(less && !equal && !nan_a && !nan_b);
          result_o.flags.nv = nan_a || nan_b;
        end
        FPU_LE: begin
          result_o.value = 64'((less || equal) && !nan_a && !nan_b);
          result_o.flags.nv = nan_a || nan_b;
        end
        FPU_CLASS: result_o.value = {54'd0, class_mask};
        // Moves copy bits: neither checks the box nor cares for NaNs.
        FPU_F_TO_X_BITS: result_o.value = is_double ? request_i.a : {{32{request_i.a[31]}}, request_i.a[31:0]};
        default: result_o.value = is_double ? request_i.a : {32'hffff_ffff, request_i.a[31:0]};
      endcase
  end
endmodule
