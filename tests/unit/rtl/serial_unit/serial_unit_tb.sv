// serial_unit with flat ports; op and unit are numbers of instructions_pkg.
module serial_unit_tb
  import instructions_pkg::*;
  import core_pkg::*;
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
  input  logic        csr_valid_i,
  input  logic [63:0] csr_operand_i,
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
  output logic        tlb_flush_o
);
  rob_idx_t done_rob;
  serial_unit u_serial_unit (
    .clk_i, .rst_ni, .start_i, .op_i(op_e'(op_i)), .unit_i(unit_e'(unit_i)), .fault_i, .insn_i, .pc_i,
    .rob_i(rob_idx_t'(rob_i)), .busy_o, .locked_o, .amo_o, .commit_i, .squash_all_i, .csr_valid_i, .csr_operand_i, .csr_modify_i,
    .csr_denied_i, .csr_addr_o, .csr_write_o, .csr_wdata_o, .priv_i(priv_e'(priv_i)), .tvm_i, .tw_i, .tsr_i,
    .wfi_wake_i, .sq_empty_i, .clean_o,
    .clean_done_i, .done_valid_o(done_o), .done_rob_o(done_rob), .exception_o, .cause_o, .tval_o, .mret_o, .sret_o,
    .fence_i_o, .tlb_flush_o
  );
  assign done_rob_o = 5'(done_rob);
endmodule
