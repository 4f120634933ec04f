// Divider: one division at a time, one quotient bit a cycle, leading zeros of the dividend skipped.
//
//   EX: operands | bits of the dividend's magnitude, at most 64 cycles | result_o until it may be written
//
// Division by zero and overflow need no special case: dividing magnitudes by zero yields all ones and the dividend,
// and the quotient of the most negative number by -1 is its own magnitude (unprivileged manual, chapter M).
module div
  import instructions_pkg::*;
  import core_pkg::*;
  import uop_pkg::*;
(
  input  logic clk_i,
  input  logic rst_ni,
  input  squash_t squash_i,
  // EX
  input  logic valid_i,
  /* verilator lint_off UNUSEDSIGNAL */  // not every field counts here
  input  int_uop_t uop_i,
  /* verilator lint_on UNUSEDSIGNAL */
  input  word_t a_i,
  input  word_t b_i,
  output logic busy_o,
  // result: held until taken
  input  logic write_ready_i,
  output result_t result_o,
  output logic done_valid_o,
  output rob_idx_t done_rob_o
);
  typedef enum logic [1:0] { IDLE, SKIP, STEP, WRITE } state_e;
  state_e state_q;
  rob_idx_t rob_q;
  preg_t pd_q;
  logic pd_valid_q, want_rem_q, word_q, negate_quotient_q, negate_rem_q;
  word_t quotient_q, rem_q, divisor_q;  // quotient_q starts as the dividend and is shifted out at the top
  logic [6:0] left_q;                   // bits still to go

  logic is_signed, is_word, a_neg, b_neg, by_zero;
  word_t a, b;
  always_comb begin
    is_signed = uop_i.op == OP_DIV || uop_i.op == OP_REM || uop_i.op == OP_DIVW || uop_i.op == OP_REMW;
    is_word = uop_i.op == OP_DIVW || uop_i.op == OP_DIVUW || uop_i.op == OP_REMW || uop_i.op == OP_REMUW;
    a = a_i;
    b = b_i;
    if (is_word) begin
      a = {{32{is_signed && a_i[31]}}, a_i[31:0]};
      b = {{32{is_signed && b_i[31]}}, b_i[31:0]};
    end
    a_neg = is_signed && a[63];
    b_neg = is_signed && b[63];
    by_zero = b == '0;
  end

  // ---- one step: shift the next bit of the dividend into the remainder, subtract if it goes ----
  logic [64:0] shifted, difference;
  assign shifted = {rem_q, quotient_q[63]};
  assign difference = shifted - {1'b0, divisor_q};

  // Zeros at the top of the dividend yield zeros: skip them, all at once. Division by zero goes the whole way, since
  // there every bit yields a one.
  logic [6:0] zeros;
  always_comb begin
    zeros = 7'd64;
    for (int i = 0; i < 64; i++) if (quotient_q[i]) zeros = 7'(63 - i);
    if (divisor_q == '0) zeros = '0;
  end

  logic killed;
  assign killed = rob_killed(squash_i, rob_q);

  always_ff @(posedge clk_i) begin
    if (!rst_ni) state_q <= IDLE;
    else if (state_q != IDLE && killed) state_q <= IDLE;
    else
      case (state_q)
        IDLE: if (valid_i) state_q <= SKIP;
        SKIP: state_q <= zeros[6] ? WRITE : STEP;
        STEP: if (left_q == 7'd1) state_q <= WRITE;
        default: if (write_ready_i) state_q <= IDLE;
      endcase
  end

  always_ff @(posedge clk_i)
    case (state_q)
      IDLE:
        if (valid_i) begin
          rob_q <= uop_i.rob;
          pd_q <= uop_i.pd;
          pd_valid_q <= uop_i.pd_valid;
          want_rem_q <= uop_i.op == OP_REM || uop_i.op == OP_REMU || uop_i.op == OP_REMW || uop_i.op == OP_REMUW;
          word_q <= is_word;
          negate_quotient_q <= (a_neg ^ b_neg) && !by_zero;
          negate_rem_q <= a_neg;
          quotient_q <= a_neg ? -a : a;
          divisor_q <= b_neg ? -b : b;
          rem_q <= '0;
        end
      SKIP: begin
        quotient_q <= zeros[6] ? '0 : quotient_q << zeros[5:0];
        left_q <= 7'd64 - zeros;
      end
      STEP: begin
        quotient_q <= {quotient_q[62:0], !difference[64]};
        rem_q <= difference[64] ? shifted[63:0] : difference[63:0];
        left_q <= left_q - 7'd1;
      end
      default: ;
    endcase

  word_t value;
  always_comb begin
    if (want_rem_q) value = negate_rem_q ? -rem_q : rem_q;
    else value = negate_quotient_q ? -quotient_q : quotient_q;
    if (word_q) value = {{32{value[31]}}, value[31:0]};
  end

  assign busy_o = state_q != IDLE;
  assign done_valid_o = state_q == WRITE && write_ready_i && !killed;
  assign done_rob_o = rob_q;
  assign result_o = '{valid: done_valid_o && pd_valid_q, pd: pd_q, data: value};

  `include "assert.svh"
  `ASSERT(OneAtATime, !(valid_i && busy_o))
endmodule
