// Execution of the two instructions that were issued in the cycle before: results, branches, and the multiplier and
// divider, which work on one instruction at a time: a product takes 3 cycles, a quotient 66.
module inorder_execute
  import inorder_pkg::*;
(
  input  logic           clk_i,
  input  logic           rst_ni,
  input  logic           kill_i,       // all that is under way is dead
  input  execute_t [1:0] execute_i,    // the second may be dead by the first: see done_o
  output done_t    [1:0] done_o,       // of this cycle: ALU, branches, addresses
  output done_t          late_o,       // of the multiplier and divider
  output logic           busy_o,
  output resolved_t      resolved_o,
  output logic           wrong_first_o // the first was mispredicted: the second is dead
);
  function automatic word_t sext(input logic [31:0] value);
    sext = {{32{value[31]}}, value};
  endfunction

  function automatic word_t alu(input decoded_t d, input word_t a, input word_t b);
    logic [5:0] shift;
    word_t right;
    shift = d.narrow ? {1'b0, b[4:0]} : b[5:0];
    right = !d.narrow ? a : d.alternate ? sext(a[31:0]) : {32'b0, a[31:0]};
    case (d.op)
      3'd0: alu = d.alternate ? a - b : a + b;
      3'd1: alu = a << shift;
      3'd2: alu = 64'($signed(a) < $signed(b));
      3'd3: alu = 64'(a < b);
      3'd4: alu = a ^ b;
      3'd5: alu = d.alternate ? 64'($signed(right) >>> shift) : right >> shift;
      3'd6: alu = a | b;
      default: alu = a & b;
    endcase
    if (d.narrow) alu = sext(alu[31:0]);
  endfunction

  function automatic logic condition(input logic [2:0] op, input word_t a, input word_t b);
    condition = op[2] ? (op[1] ? a < b : $signed(a) < $signed(b)) : a == b;
    condition ^= op[0];
  endfunction

  // ---- at once ----
  always_comb begin
    automatic execute_t e;
    automatic word_t goes, sum;
    automatic logic taken, transfers;
    done_o = '0;
    resolved_o = '0;
    wrong_first_o = 1'b0;
    for (int i = 0; i < 2; i++) begin
      e = execute_i[i];
      sum = (e.d.from_pc ? e.pc : e.a) + e.d.imm;
      transfers = e.d.kind == BRANCH || e.d.kind == JUMP;
      taken = e.d.kind == JUMP || condition(e.d.op, e.a, e.b);
      goes = !taken ? e.pc + 64'd4 : e.d.kind == JUMP ? {sum[63:1], 1'b0} : e.pc + e.d.imm;
      done_o[i].place = e.place;
      done_o[i].address = sum;
      done_o[i].fault = (e.d.kind == LOAD || e.d.kind == STORE) && (sum[2:0] & ~(3'b111 << e.d.op[1:0])) != '0;
      done_o[i].valid = e.valid && !wrong_first_o && e.d.kind != MUL && e.d.kind != DIV &&
                        (e.d.kind != LOAD || done_o[i].fault);
      case (e.d.kind)
        ALU: done_o[i].result = alu(e.d, e.d.from_pc ? e.pc : e.d.from_zero ? '0 : e.a, e.d.immediate ? e.d.imm : e.b);
        JUMP: done_o[i].result = e.pc + 64'd4;
        STORE: done_o[i].result = e.b;
        default: done_o[i].result = e.a;  // what a CSR is written with
      endcase
      if (e.valid && !wrong_first_o && transfers) begin
        done_o[i].mispredict = taken != e.taken || (taken && goes != e.target);
        resolved_o = '{valid: 1'b1, wrong: done_o[i].mispredict, computed: e.d.kind == JUMP && !e.d.from_pc,
                       taken: taken, pc: e.pc, target: goes};
        if (i == 0) wrong_first_o = done_o[0].mispredict;
      end
    end
  end

  // ---- products and quotients ----
  execute_t long;
  decoded_t d_q;
  word_t a_q, b_q, quotient_q;
  logic [127:0] product;
  logic [63:0] rest_q;
  logic negate_quotient_q, negate_rest_q, zero_q;
  logic [6:0] left_q;
  place_t place_q;
  logic busy_q, sign_a, sign_b;
  word_t a_in, b_in;
  always_comb begin
    long = execute_i[0];
    if (!(long.valid && (long.d.kind == MUL || long.d.kind == DIV))) begin
      long = execute_i[1];
      long.valid = long.valid && !wrong_first_o && (long.d.kind == MUL || long.d.kind == DIV);
    end
    a_in = !long.d.narrow ? long.a : long.d.op[0] ? {32'b0, long.a[31:0]} : sext(long.a[31:0]);
    b_in = !long.d.narrow ? long.b : long.d.op[0] ? {32'b0, long.b[31:0]} : sext(long.b[31:0]);
    sign_a = !long.d.op[0] && a_in[63];
    sign_b = !long.d.op[0] && b_in[63];
  end
  assign busy_o = busy_q || long.valid;

  // op 0 mul, 1 mulh, 2 mulhsu, 3 mulhu
  assign product = {{64{a_q[63] && d_q.op[1:0] != 2'd3}}, a_q} * {{64{b_q[63] && !d_q.op[1]}}, b_q};

  always_comb begin
    automatic word_t value;
    if (d_q.kind == MUL) value = d_q.op == 3'd0 ? product[63:0] : product[127:64];
    else if (d_q.op[1]) value = negate_rest_q ? -rest_q : rest_q;
    else value = zero_q ? '1 : negate_quotient_q ? -quotient_q : quotient_q;
    late_o = '0;
    late_o.valid = busy_q && left_q == '0 && !kill_i;
    late_o.place = place_q;
    late_o.result = d_q.narrow ? sext(value[31:0]) : value;
  end

  always_ff @(posedge clk_i) begin
    automatic logic [64:0] rest;
    if (!rst_ni || kill_i) busy_q <= 1'b0;
    else if (long.valid) begin
      busy_q <= 1'b1;
      place_q <= long.place;
      d_q <= long.d;
      left_q <= long.d.kind == MUL ? 7'd1 : 7'd64;
      a_q <= long.d.kind == MUL ? long.a : sign_a ? -a_in : a_in;
      b_q <= long.d.kind == MUL ? long.b : sign_b ? -b_in : b_in;
      quotient_q <= '0;
      rest_q <= '0;
      negate_quotient_q <= sign_a != sign_b;
      negate_rest_q <= sign_a;
      zero_q <= b_in == '0;
    end else if (busy_q) begin
      left_q <= left_q - 7'd1;
      if (left_q == '0) busy_q <= 1'b0;
      if (d_q.kind == DIV && left_q != '0) begin
        rest = {rest_q, a_q[63]};
        a_q <= a_q << 1;
        quotient_q <= {quotient_q[62:0], rest >= {1'b0, b_q}};
        rest_q <= 64'(rest >= {1'b0, b_q} ? rest - {1'b0, b_q} : rest);
      end
    end
  end
endmodule
