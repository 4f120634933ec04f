// branch_unit with flat ports; op and unit are numbers of instructions_pkg.
module branch_unit_tb
  import config_pkg::*;
  import instructions_pkg::*;
  import core_pkg::*;
  import port_pkg::*;
  import issue_pkg::*;
(
  output logic [31:0] fetch_width_o,
  input  logic        valid_i,
  input  logic [7:0]  op_i,
  input  logic [7:0]  unit_i,
  input  logic [15:0] rob_i,
  input  logic [7:0]  snapshot_i,
  input  logic [7:0]  ftq_i,
  input  logic        rvc_i,
  input  logic        pred_taken_i,
  input  logic [63:0] a_i,
  input  logic [63:0] b_i,
  input  logic [63:0] pc_i,
  input  logic [31:0] imm_i,
  input  logic [63:0] next_pc_i,
  output logic        valid_o,
  output logic        mispredict_o,
  output logic        taken_o,
  output logic        same_o,        // rob, snapshot and ftq came through
  output logic [63:0] target_o,
  output logic [5:0]  offset_o
);
  int_uop_t uop;
  resolve_t resolve;
  always_comb begin
    uop = '0;
    uop.op = op_e'(op_i);
    uop.unit = unit_e'(unit_i);
    uop.rob = rob_idx_t'(rob_i);
    uop.snapshot = snapshot_t'(snapshot_i);
    uop.ftq = ftq_idx_t'(ftq_i);
    uop.rvc = rvc_i;
    uop.pred_taken = pred_taken_i;
  end
  branch_unit u_branch_unit (
    .valid_i, .uop_i(uop), .a_i, .b_i, .pc_i, .imm_i, .next_pc_i, .resolve_o(resolve)
  );
  assign valid_o = resolve.valid;
  assign mispredict_o = resolve.mispredict;
  assign taken_o = resolve.taken;
  assign same_o = resolve.rob == rob_idx_t'(rob_i) && resolve.snapshot == snapshot_t'(snapshot_i) &&
                  resolve.ftq == ftq_idx_t'(ftq_i);
  assign target_o = resolve.target;
  assign offset_o = resolve.offset;
  assign fetch_width_o = FetchWidth;
endmodule
