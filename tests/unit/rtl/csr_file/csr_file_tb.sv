// csr_file with flat ports.
module csr_file_tb
  import config_pkg::*;
  import core_pkg::*;
(
  input  logic        clk_i,
  input  logic        rst_ni,
  input  logic [11:0] addr_i,
  output logic [63:0] rdata_o,
  output logic        denied_o,
  input  logic        write_i,
  input  logic [63:0] wdata_i,
  output logic [63:0] written_o,
  input  logic        trap_i,
  input  logic        trap_interrupt_i,
  input  logic [5:0]  trap_cause_i,
  input  logic [63:0] trap_tval_i,
  input  logic [63:0] trap_epc_i,
  output logic [63:0] trap_pc_o,
  input  logic        mret_i,
  output logic [63:0] mret_pc_o,
  output logic [1:0]  priv_o,
  input  logic        msip_i,
  input  logic        mtip_i,
  input  logic        meip_i,
  input  logic [63:0] mtime_i,
  input  logic        lcofi_i,
  input  logic [1:0]  retired_i,
  output logic        irq_o,
  output logic [5:0]  irq_cause_o,
  output logic [11:0] ext_addr_o,
  output logic        ext_write_o,
  output logic [63:0] ext_wdata_o,
  input  logic [63:0] ext_rdata_i,
  input  logic [4:0]  fp_accrue_i,
  input  logic        fp_dirty_i,
  output logic        fs_off_o,
  output logic [2:0]  frm_o
);
  csr_req_t ext;
  priv_e priv;
  csr_file u_csr_file (
    .clk_i, .rst_ni, .addr_i, .rdata_o, .denied_o, .write_i, .wdata_i, .written_o, .trap_i, .trap_interrupt_i,
    .trap_cause_i, .trap_tval_i, .trap_epc_i, .trap_pc_o, .mret_i, .mret_pc_o, .priv_o(priv),
    .fp_accrue_i, .fp_dirty_i, .fs_off_o, .frm_o,
    .machine_i('{msip: msip_i, mtip: mtip_i, meip: meip_i, seip: 1'b0, mtime: mtime_i}), .lcofi_i, .retired_i((LaneBits + 1)'(retired_i)), .irq_o,
    .irq_cause_o, .ext_req_o(ext), .ext_rdata_i
  );
  assign priv_o = priv;
  assign ext_addr_o = ext.addr;
  assign ext_write_o = ext.write;
  assign ext_wdata_o = ext.wdata;
endmodule
