// decoder with flat ports.
module decoder_tb
  import config_pkg::*;
  import core_pkg::*;
  import decode_pkg::*;
(
  input  logic [31:0] insn_i,
  input  logic        rvc_i,
  input  logic        pred_taken_i,
  input  logic        fault_i,
  input  logic        fs_off_i,
  input  logic        dr_l1_i,
  input  logic        dr_tlb_i,
  input  logic [7:0]  ftq_i,
  output logic [7:0]  op_o,
  output logic [7:0]  unit_o,
  output logic        rd_valid_o,
  output logic [5:0]  rd_o,
  output logic [5:0]  rs1_o,
  output logic [5:0]  rs2_o,
  output logic [5:0]  rs3_o,
  output logic        use_pc_o,
  output logic        use_imm_o,
  output logic        serial_o,
  output logic        flush_o,
  output logic [31:0] imm_o,
  output logic        dyn_rm_o,
  output logic [7:0]  fp_op_o,
  output logic        fp_double_o,
  output logic [2:0]  fp_rm_o,
  output logic        same_o        // what only travels along came through
);
  fetch_insn_t insn;
  decoded_t uop;
  always_comb begin
    insn = '0;
    insn.insn = insn_i;
    insn.rvc = rvc_i;
    insn.pred_taken = pred_taken_i;
    insn.fault = fault_i;
    insn.dr_l1 = dr_l1_i;
    insn.dr_tlb = dr_tlb_i;
    insn.ftq = ftq_idx_t'(ftq_i);
  end
  decoder u_decoder (.insn_i(insn), .fs_off_i, .uop_o(uop), .imm_o);
  assign op_o = 8'(uop.op);
  assign unit_o = 8'(uop.unit);
  assign rd_valid_o = uop.rd_valid;
  assign rd_o = 6'(uop.rd);
  assign rs1_o = 6'(uop.rs1);
  assign rs2_o = 6'(uop.rs2);
  assign rs3_o = 6'(uop.rs3);
  assign use_pc_o = uop.use_pc;
  assign use_imm_o = uop.use_imm;
  assign serial_o = uop.serial;
  assign flush_o = uop.flush;
  assign dyn_rm_o = uop.dyn_rm;
  assign fp_op_o = 8'(uop.fp_op);
  assign fp_double_o = uop.fp_format == fp_pkg::FMT_D;
  assign fp_rm_o = uop.fp_rm;
  assign same_o = uop.rvc == rvc_i && uop.pred_taken == pred_taken_i && uop.fault == fault_i && uop.dr_l1 == dr_l1_i &&
                  uop.dr_tlb == dr_tlb_i && uop.ftq == ftq_idx_t'(ftq_i);
endmodule
