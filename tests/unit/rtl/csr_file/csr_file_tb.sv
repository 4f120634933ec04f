// csr_file with flat ports; one of the PMP regions is seen at a time.
module csr_file_tb
  import config_pkg::*;
  import core_pkg::*;
  import mmu_pkg::*;
  import csr_effect_pkg::*;
  import commit_pkg::*;
(
  input  logic        clk_i,
  input  logic        rst_ni,
  input  logic [11:0] addr_i,
  output logic [63:0] rdata_o,
  output logic [63:0] modify_o,
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
  input  logic        sret_i,
  output logic [63:0] return_pc_o,
  output logic [1:0]  priv_o,
  // translation and protection
  output logic        sv39_o,
  output logic [15:0] asid_o,
  output logic [43:0] root_o,
  output logic        sum_o,
  output logic        mxr_o,
  output logic [1:0]  fetch_priv_o,
  output logic [1:0]  data_priv_o,
  output logic        walks_flush_o,
  output logic        tlb_flush_o,
  input  logic [3:0]  region_i,
  output logic        region_on_o,
  output logic        region_locked_o,
  output logic [2:0]  region_xwr_o,
  output logic [44:0] region_base_o,
  output logic [44:0] region_limit_o,
  output logic        tvm_o,
  output logic        tw_o,
  output logic        tsr_o,
  output logic        wfi_wake_o,
  // interrupts, time, counting
  input  logic        msip_i,
  input  logic        mtip_i,
  input  logic        meip_i,
  input  logic        seip_i,
  input  logic [63:0] mtime_i,
  input  logic [63:0] hart_id_i,
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
  serial_mode_t mode;
  fp_mode_t fp_mode;
  commit_t com;
  always_comb begin
    com = '0;
    com.count = count_t'(retired_i);
    com.flush = mret_i || sret_i;
  end
  vm_t vm;
  tlb_flush_t tlb_flush;
  pmp_region_t pmp [PmpRegions], region;
  csr_file u_csr_file (
    .clk_i, .rst_ni, .access_i('{addr: addr_i, write: write_i, wdata: wdata_i}), .rdata_o, .modify_o, .denied_o,
    .written_o, .raise_i('{valid: trap_i, irq: trap_interrupt_i, replay: 1'b0, cause: trap_cause_i, tval: trap_tval_i,
                           epc: trap_epc_i}),
    .trap_pc_o, .com_i(com),
    .effect_i('{mret: mret_i, sret: sret_i, fence_i: 1'b0}), .return_pc_o, .vm_o(vm), .pmp_o(pmp),
    .tlb_flush_o(tlb_flush), .mode_o(mode), .wfi_wake_o, .fp_effect_i('{flags: fp_accrue_i, dirty: fp_dirty_i}),
    .fp_mode_o(fp_mode), .machine_i('{hart_id: hart_id_i, msip: msip_i, mtip: mtip_i, meip: meip_i, seip: seip_i,
                                      mtime: mtime_i}), .lcofi_i,
    .irq_o, .irq_cause_o, .ext_req_o(ext), .ext_rdata_i
  );
  assign priv_o = mode.priv;
  assign tvm_o = mode.tvm;
  assign tw_o = mode.tw;
  assign tsr_o = mode.tsr;
  assign fs_off_o = fp_mode.off;
  assign frm_o = fp_mode.frm;
  assign sv39_o = vm.sv39;
  assign asid_o = 16'(vm.asid);
  assign root_o = vm.root;
  assign walks_flush_o = tlb_flush.walks;
  assign tlb_flush_o = tlb_flush == FlushAll;
  assign sum_o = vm.sum;
  assign mxr_o = vm.mxr;
  assign fetch_priv_o = vm.fetch_priv;
  assign data_priv_o = vm.data_priv;
  always_comb begin
    region = pmp[0];
    for (int i = 0; i < PmpRegions; i++) if (region_i == 4'(i)) region = pmp[i];
  end
  assign region_on_o = region.on;
  assign region_locked_o = region.locked;
  assign region_xwr_o = {region.x, region.w, region.r};
  assign region_base_o = region.base;
  assign region_limit_o = region.limit;
  assign ext_addr_o = ext.addr;
  assign ext_write_o = ext.write;
  assign ext_wdata_o = ext.wdata;
endmodule
