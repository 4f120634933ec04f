// One integer port from register read to the end of EX: ALU, link address, and a branch unit where there is one.
//
//   RR: operands arrive (forwarded ones included) | EX: result_o, done_o, resolve_o; ex_*_o feed mul, div and CSRs
//
// What a squash kills leaves neither result nor completion.
module int_lane
  import config_pkg::*;
  import instructions_pkg::*;
  import core_pkg::*;
  import port_pkg::*;
  import issue_pkg::*;
  import serial_pkg::*;
  import rob_pkg::*;
#(
  parameter bit HasBranch = 1'b0,
  parameter bit HasCsr = 1'b0
) (
  input  logic clk_i,
  input  logic rst_ni,
  input  squash_t squash_i,
  // RR
  input  logic rr_valid_i,
  input  int_uop_t rr_uop_i,
  input  word_t rr_pc_i,
  input  logic [31:0] rr_imm_i,
  input  word_t rr_data1_i,
  input  word_t rr_data2_i,
  // EX
  output logic ex_valid_o,
  output int_uop_t ex_uop_o,
  output word_t ex_a_o,
  output word_t ex_b_o,
  /* verilator lint_off UNUSEDSIGNAL */  // only with HasBranch, HasCsr
  input  word_t next_pc_i,
  input  word_t csr_rdata_i,
  /* verilator lint_on UNUSEDSIGNAL */
  output result_t result_o,
  output logic done_valid_o,
  output resolve_t resolve_o
);
  logic valid_q;
  word_t pc_q;
  logic [31:0] imm_q;

  always_ff @(posedge clk_i) begin
    valid_q <= rst_ni && rr_valid_i && !rob_killed(squash_i, rr_uop_i.rob);
    if (rr_valid_i) begin
      ex_uop_o <= rr_uop_i;
      pc_q <= rr_pc_i;
      imm_q <= rr_imm_i;
      ex_a_o <= rr_uop_i.use_pc ? rr_pc_i : rr_data1_i;
      ex_b_o <= rr_uop_i.use_imm ? {{32{rr_imm_i[31]}}, rr_imm_i} : rr_data2_i;
    end
  end

  assign ex_valid_o = valid_q && !rob_killed(squash_i, ex_uop_o.rob);

  word_t alu_result;
  alu u_alu (.op_i(ex_uop_o.op), .a_i(ex_a_o), .b_i(ex_b_o), .result_o(alu_result));

  // Mul and div complete in their units.
  logic one_cycle;
  assign one_cycle = ex_uop_o.unit != UNIT_MUL && ex_uop_o.unit != UNIT_DIV;
  assign done_valid_o = ex_valid_o && one_cycle && !in_serial_unit(ex_uop_o.unit);

  always_comb begin
    result_o.valid = ex_valid_o && one_cycle && ex_uop_o.pd_valid;
    result_o.pd = ex_uop_o.pd;
    result_o.data = alu_result;
    if (ex_uop_o.unit == UNIT_JAL || ex_uop_o.unit == UNIT_JALR) result_o.data = pc_q + (ex_uop_o.rvc ? 64'd2 : 64'd4);
    if (HasCsr && ex_uop_o.unit == UNIT_CSR) result_o.data = csr_rdata_i;
  end

  if (HasBranch) begin : gen_branch
    branch_unit u_branch_unit (
      .valid_i(ex_valid_o),
      .uop_i(ex_uop_o),
      .a_i(ex_a_o),
      .b_i(ex_b_o),
      .pc_i(pc_q),
      .imm_i(imm_q),
      .next_pc_i(next_pc_i),
      .resolve_o(resolve_o)
    );
  end else begin : gen_no_branch
    logic [31:0] unused_imm;
    assign unused_imm = imm_q;
    assign resolve_o = '0;
  end
endmodule
