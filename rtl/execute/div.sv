// Divider: one division at a time, two quotient bits a cycle (radix 4), only those bits that can be nonzero.
//
//   EX: operands | align: 1 cycle | n/2 steps, n = leading zeros of divisor - of dividend + 1 | result_o until written
//
// Works on magnitudes. The quotient of the most negative number by -1 needs no special case: it is its own magnitude
// (unprivileged manual, chapter M). Division by zero ends after alignment.
module div
  import instructions_pkg::*;
  import core_pkg::*;
  import port_pkg::*;
  import issue_pkg::*;
  import rob_pkg::*;
(
  input  logic clk_i,
  input  logic rst_ni,
  input  squash_t squash_i,
  // EX
  input  logic valid_i,
  input  int_uop_t uop_i,
  input  word_t a_i,
  input  word_t b_i,
  output logic busy_o,
  // result: held until taken
  input  logic write_ready_i,
  output result_t result_o,
  output logic done_valid_o,
  output rob_idx_t done_rob_o
);
  typedef enum logic [1:0] { IDLE, ALIGN, STEP, WRITE } state_e;
  state_e state_q, state_d;
  logic busy_q;                         // by itself: who picks the next one waits for it
  rob_idx_t rob_q;
  preg_t pd_q;
  logic pd_valid_q, want_rem_q, word_q, negate_quotient_q, negate_rem_q;
  word_t quotient_q, rem_q, divisor_q;  // quotient_q starts as the dividend and is shifted out at the top
  logic [65:0] triple_q;                // 3 * divisor
  logic [5:0] left_q;                   // steps still to go

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

  // ---- align: the bits that the quotient cannot have go into the remainder at once ----
  function automatic logic [6:0] leading_zeros(input word_t x);
    leading_zeros = 7'd64;
    for (int i = 0; i < 64; i++) if (x[i]) leading_zeros = 7'(63 - i);
  endfunction

  logic [6:0] zeros_a, zeros_b;
  logic [5:0] steps;  // 0: the quotient is 0
  always_comb begin
    zeros_a = '0;
    zeros_b = '0;
    steps = '0;
    if (state_q == ALIGN) begin
      zeros_a = leading_zeros(quotient_q);
      zeros_b = leading_zeros(divisor_q);
      if (zeros_b >= zeros_a && divisor_q != '0) steps = 6'((zeros_b - zeros_a + 7'd2) >> 1);
    end
  end

  // ---- one step: the next two bits of the dividend join the remainder; how often does the divisor go? ----
  logic [65:0] shifted;
  /* verilator lint_off UNUSEDSIGNAL */  // bits 65:64 are zero where it goes, and of no use where it does not
  logic [66:0] less1, less2, less3;      // top bit: does not go
  /* verilator lint_on UNUSEDSIGNAL */
  logic [1:0] digit;
  always_comb begin
    shifted = '0;
    less1 = '0;
    less2 = '0;
    less3 = '0;
    digit = '0;
    if (state_q == STEP) begin
      shifted = {rem_q, quotient_q[63:62]};
      less1 = {1'b0, shifted} - {3'b0, divisor_q};
      less2 = {1'b0, shifted} - {2'b0, divisor_q, 1'b0};
      less3 = {1'b0, shifted} - {1'b0, triple_q};
      if (!less3[66]) digit = 2'd3;
      else if (!less2[66]) digit = 2'd2;
      else if (!less1[66]) digit = 2'd1;
    end
  end

  logic killed;
  assign killed = rob_killed(squash_i, rob_q);

  always_comb begin
    state_d = state_q;
    case (state_q)
      IDLE: if (valid_i) state_d = ALIGN;
      ALIGN: state_d = (steps == '0) ? WRITE : STEP;
      STEP: if (left_q == 6'd1) state_d = WRITE;
      default: if (write_ready_i) state_d = IDLE;
    endcase
    if (state_q != IDLE && killed) state_d = IDLE;
  end

  always_ff @(posedge clk_i) begin
    state_q <= rst_ni ? state_d : IDLE;
    busy_q <= rst_ni && state_d != IDLE;
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
        end
      ALIGN: begin
        triple_q <= {2'b0, divisor_q} + {1'b0, divisor_q, 1'b0};
        left_q <= steps;
        if (divisor_q == '0) begin
          quotient_q <= '1;
          rem_q <= quotient_q;
        end else if (steps == 6'd32) begin
          rem_q <= '0;
        end else begin
          rem_q <= quotient_q >> {steps[4:0], 1'b0};
          quotient_q <= (steps == '0) ? '0 : quotient_q << (6'd0 - {steps[4:0], 1'b0});
        end
      end
      STEP: begin
        quotient_q <= {quotient_q[61:0], digit};
        case (digit)
          2'd3: rem_q <= less3[63:0];
          2'd2: rem_q <= less2[63:0];
          2'd1: rem_q <= less1[63:0];
          default: rem_q <= shifted[63:0];
        endcase
        left_q <= left_q - 6'd1;
      end
      default: ;
    endcase

  word_t value;
  always_comb begin
    if (want_rem_q) value = negate_rem_q ? -rem_q : rem_q;
    else value = negate_quotient_q ? -quotient_q : quotient_q;
    if (word_q) value = {{32{value[31]}}, value[31:0]};
  end

  assign busy_o = busy_q;
  assign done_valid_o = state_q == WRITE && write_ready_i && !killed;
  assign done_rob_o = rob_q;
  assign result_o = '{valid: done_valid_o && pd_valid_q, pd: pd_q, data: value};

  `include "assert.svh"
  `ASSERT(OneAtATime, !(valid_i && busy_o))
  `ASSERT(BusyIsDerived, busy_q == (state_q != IDLE))
endmodule
