// serial_unit with flat ports; op and unit are numbers of instructions_pkg.
module serial_unit_tb
  import instructions_pkg::*;
  import core_pkg::*;
  import mmu_pkg::*;
  import csr_effect_pkg::*;
  import commit_pkg::*;
(
  input  logic        clk_i,
  input  logic        rst_ni,
  input  logic        start_i,
  input  logic [7:0]  op_i,
  input  logic [7:0]  unit_i,
  input  logic        fault_i,
  input  logic [31:0] insn_i,
  input  logic [63:0] pc_i,
  input  logic [4:0]  rob_i,
  output logic        busy_o,
  output logic        locked_o,
  input  logic        commit_i,
  input  logic        squash_all_i,
  input  logic        operands_valid_i,
  input  logic [63:0] rs1_i,
  input  logic [63:0] rs2_i,
  input  logic [63:0] csr_modify_i,
  input  logic        csr_denied_i,
  output logic [11:0] csr_addr_o,
  output logic        csr_write_o,
  output logic [63:0] csr_wdata_o,
  input  logic [1:0]  priv_i,
  input  logic        tvm_i,
  input  logic        tw_i,
  input  logic        tsr_i,
  input  logic        wfi_wake_i,
  input  logic        sq_empty_i,
  output logic        amo_o,
  output logic        clean_o,
  input  logic        clean_done_i,
  output logic        done_o,
  output logic [4:0]  done_rob_o,
  output logic        exception_o,
  output logic [5:0]  cause_o,
  output logic [63:0] tval_o,
  output logic        mret_o,
  output logic        sret_o,
  output logic        fence_i_o,
  output logic        tlb_flush_o,
  output logic        by_asid_o,
  output logic [7:0]  asid_o,
  output logic        by_page_o,
  output logic [26:0] vpn_o
);
  csr_req_t csr;
  rob_ref_t done;
  exception_t exception;
  serial_effect_t effect;
  tlb_flush_t tlb_flush;
  serial_unit u_serial_unit (
    .clk_i, .rst_ni,
    .start_i('{valid: start_i, op: op_e'(op_i), unit: unit_e'(unit_i), fault: fault_i, insn: insn_i, pc: pc_i,
               rob: rob_idx_t'(rob_i)}),
    .busy_o, .locked_o, .amo_o, .commit_i, .squash_all_i,
    .operands_i('{valid: operands_valid_i, rs1: rs1_i, rs2: rs2_i}), .csr_modify_i, .csr_denied_i,
    .csr_o(csr), .mode_i('{priv: priv_e'(priv_i), tvm: tvm_i, tw: tw_i, tsr: tsr_i}), .wfi_wake_i, .sq_empty_i,
    .clean_o, .clean_done_i, .done_o(done), .exception_o(exception), .effect_o(effect), .tlb_flush_o(tlb_flush)
  );
  assign csr_addr_o = csr.addr;
  assign csr_write_o = csr.write;
  assign csr_wdata_o = csr.wdata;
  assign done_o = done.valid;
  assign done_rob_o = 5'(done.rob);
  assign exception_o = exception.valid;
  assign cause_o = exception.cause;
  assign tval_o = exception.tval;
  assign mret_o = effect.mret;
  assign sret_o = effect.sret;
  assign fence_i_o = effect.fence_i;
  assign tlb_flush_o = tlb_flush.walks && tlb_flush.entries;
  assign by_asid_o = tlb_flush.by_asid;
  assign asid_o = tlb_flush.asid;
  assign by_page_o = tlb_flush.by_page;
  assign vpn_o = tlb_flush.vpn;
endmodule
