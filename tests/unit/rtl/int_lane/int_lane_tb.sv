// An integer port that can do everything, with flat ports; op and unit are numbers of instructions_pkg.
module int_lane_tb
  import instructions_pkg::*;
  import core_pkg::*;
  import port_pkg::*;
  import issue_pkg::*;
(
  input  logic        clk_i,
  input  logic        rst_ni,
  input  logic        squash_i,
  input  logic        squash_all_i,
  input  logic [4:0]  squash_rob_i,
  input  logic        valid_i,
  input  logic [7:0]  op_i,
  input  logic [7:0]  unit_i,
  input  logic [4:0]  rob_i,
  input  logic [4:0]  pd_i,
  input  logic        pd_valid_i,
  input  logic        use_pc_i,
  input  logic        use_imm_i,
  input  logic        rvc_i,
  input  logic        pred_taken_i,
  input  logic [63:0] pc_i,
  input  logic [31:0] imm_i,
  input  logic [63:0] data1_i,
  input  logic [63:0] data2_i,
  input  logic [63:0] next_pc_i,
  input  logic [63:0] csr_rdata_i,
  output logic        ex_valid_o,
  output logic [4:0]  ex_rob_o,
  output logic [63:0] a_o,
  output logic [63:0] b_o,
  output logic        write_o,
  output logic [15:0] pd_o,
  output logic [63:0] data_o,
  output logic        done_o,
  output logic        resolved_o,
  output logic        mispredict_o,
  output logic [63:0] target_o
);
  squash_t squash;
  int_uop_t uop, ex;
  result_t result;
  resolve_t resolve;
  always_comb begin
    squash = '0;
    squash.valid = squash_i;
    squash.all = squash_all_i;
    squash.rob = rob_idx_t'(squash_rob_i);
    uop = '0;
    uop.op = op_e'(op_i);
    uop.unit = unit_e'(unit_i);
    uop.rob = rob_idx_t'(rob_i);
    uop.pd = preg_t'(pd_i);
    uop.pd_valid = pd_valid_i;
    uop.use_pc = use_pc_i;
    uop.use_imm = use_imm_i;
    uop.rvc = rvc_i;
    uop.pred_taken = pred_taken_i;
  end
  int_lane #(.HasBranch(1'b1), .HasCsr(1'b1)) u_int_lane (
    .clk_i, .rst_ni, .squash_i(squash), .rr_valid_i(valid_i), .rr_uop_i(uop), .rr_pc_i(pc_i), .rr_imm_i(imm_i),
    .rr_data1_i(data1_i), .rr_data2_i(data2_i), .ex_valid_o, .ex_uop_o(ex), .ex_a_o(a_o), .ex_b_o(b_o), .next_pc_i,
    .csr_rdata_i, .result_o(result), .done_valid_o(done_o), .resolve_o(resolve)
  );
  assign ex_rob_o = 5'(ex.rob);
  assign write_o = result.valid;
  assign pd_o = 16'(result.pd);
  assign data_o = result.data;
  assign resolved_o = resolve.valid;
  assign mispredict_o = resolve.mispredict;
  assign target_o = resolve.target;
endmodule
