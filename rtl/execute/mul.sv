// Pipelined multiplier: result in the third cycle after the operands (EX, EX2, EX3), one a cycle.
//
//   EX: operands arrive, wake_o announces the result two cycles ahead | EX2: product | EX3: result_o, done_o
module mul
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
  output logic wake_valid_o,
  output preg_t wake_tag_o,
  // EX3
  output result_t result_o,
  output logic done_valid_o,
  output rob_idx_t done_rob_o
);
  typedef enum logic [1:0] { LOW, HIGH, WORD } part_e;
  typedef struct packed {
    rob_idx_t rob;
    preg_t pd;
    logic pd_valid;
    part_e part;
  } stage_t;

  logic valid2_q, valid3_q, negate2_q;
  stage_t s2_q;
  /* verilator lint_off UNUSEDSIGNAL */  // which part of the product: has been chosen
  stage_t s3_q;
  /* verilator lint_on UNUSEDSIGNAL */
  word_t a2_q, b2_q, value3_q;

  // Signed operands are multiplied as magnitudes; the sign is put back on the product.
  logic a_neg, b_neg;
  assign a_neg = a_i[63] && (uop_i.op == OP_MULH || uop_i.op == OP_MULHSU);
  assign b_neg = b_i[63] && uop_i.op == OP_MULH;

  assign wake_valid_o = valid_i && uop_i.pd_valid;
  assign wake_tag_o = uop_i.pd;

  logic [127:0] magnitude, product;
  always_comb begin
    magnitude = '0;
    if (valid2_q) magnitude = 128'(a2_q) * 128'(b2_q);
    product = negate2_q ? -magnitude : magnitude;
  end

  always_ff @(posedge clk_i) begin
    valid2_q <= rst_ni && valid_i;  // valid_i already knows of the squash
    valid3_q <= rst_ni && valid2_q && !rob_killed(squash_i, s2_q.rob);
    if (valid_i) begin
      s2_q <= '{rob: uop_i.rob, pd: uop_i.pd, pd_valid: uop_i.pd_valid,
                part: uop_i.op == OP_MUL ? LOW : uop_i.op == OP_MULW ? WORD : HIGH};
      a2_q <= a_neg ? -a_i : a_i;
      b2_q <= b_neg ? -b_i : b_i;
      negate2_q <= a_neg ^ b_neg;
    end
    if (valid2_q) begin
      s3_q <= s2_q;
      case (s2_q.part)
        LOW: value3_q <= product[63:0];
        HIGH: value3_q <= product[127:64];
        default: value3_q <= {{32{product[31]}}, product[31:0]};
      endcase
    end
  end

  assign done_valid_o = valid3_q && !rob_killed(squash_i, s3_q.rob);
  assign done_rob_o = s3_q.rob;
  assign result_o = '{valid: done_valid_o && s3_q.pd_valid, pd: s3_q.pd, data: value3_q};
endmodule
