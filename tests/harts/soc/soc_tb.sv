// soc of two harts with flat ports: memory, devices, and what leaves each hart, in words.
module soc_tb
  import config_pkg::*;
  import core_pkg::*;
  import line_pkg::*;
  import rvfi_pkg::*;
  import memory_map_pkg::*;
#(
  localparam int Harts = 2,
  localparam int Lanes = Harts * int'(CoreWidth)
) (
  input  logic             clk_i,
  input  logic             rst_ni,
  output logic             memory_o,
  output logic             memory_write_o,
  output logic             memory_insn_o,
  output logic [4:0]       memory_id_o,
  output word_t            memory_addr_o,
  output logic [511:0]     memory_data_o,
  input  logic             memory_ready_i,
  input  logic             memory_resp_i,
  input  logic [1:0]       memory_resp_flags_i,   // llc_miss, error: from bit 0 on
  input  logic [4:0]       memory_resp_id_i,
  input  logic [511:0]     memory_resp_data_i,
  input  word_t            memory_mask_i,         // of DRAM
  // of each hart
  output logic             device_o [Harts],
  output logic             device_write_o [Harts],
  output logic [1:0]       device_size_o [Harts],
  output word_t            device_addr_o [Harts],
  output word_t            device_data_o [Harts],
  input  logic [2:0]       device_flags_i [Harts],  // ready, response, error: from bit 0 on
  input  word_t            device_data_i [Harts],
  input  logic [3:0]       lines_i [Harts],         // msip, mtip, meip, seip: from bit 0 on
  input  word_t            mtime_i [Harts],
  output word_t            lost_o [Harts],          // 0: none
  // what leaves in this cycle: words of each instruction, oldest first, and of each hart's trap
  output word_t            insn_o [Lanes][6],
  output word_t            trap_o [Harts][4]
);
  region_t region [Regions];
  for (genvar i = 0; i < Regions; i++) begin : gen_region
    localparam bit IsDram = i == DramRegion;
    assign region[i] = '{base: RegionBase[i], mask: IsDram ? memory_mask_i : RegionMask[i], attributes: RegionIs[i]};
  end

  line_req_t req;
  device_req_t device [Harts];
  device_in_t device_in [Harts];
  machine_t machine [Harts];
  lost_store_t lost [Harts];
  rvfi_t rvfi [Harts];
  soc #(.Harts(Harts)) u_soc (
    .clk_i, .rst_ni,
    .memory_req_o(req), .memory_insn_o, .memory_ready_i,
    .memory_resp_i('{valid: memory_resp_i, id: memory_resp_id_i, llc_miss: memory_resp_flags_i[0],
                     error: memory_resp_flags_i[1], data: memory_resp_data_i}),
    .device_o(device), .device_i(device_in), .machine_i(machine), .reset_pc_i(ResetPc), .region_i(region),
    .lost_o(lost), .rvfi_o(rvfi), .reads_i('{default: 1'b0}),
    /* verilator lint_off PINCONNECTEMPTY */  // no observer reads vectors or samples
    .bundle_o(), .stale_o(), .coherence_o(), .sample_o(), .oir_o(), .sample_trigger_o()
    /* verilator lint_on PINCONNECTEMPTY */
  );
  assign memory_o = req.valid;
  assign memory_write_o = req.write;
  assign memory_id_o = req.id;
  assign memory_addr_o = req.addr;
  assign memory_data_o = req.data;
  for (genvar h = 0; h < Harts; h++) begin : gen_hart
    assign device_o[h] = device[h].valid;
    assign device_write_o[h] = device[h].write;
    assign device_size_o[h] = device[h].size;
    assign device_addr_o[h] = device[h].addr;
    assign device_data_o[h] = device[h].data;
    assign device_in[h] = '{ready: device_flags_i[h][0], resp: '{valid: device_flags_i[h][1],
                            error: device_flags_i[h][2], data: device_data_i[h]}};
    assign machine[h] = '{hart_id: word_t'(h), msip: lines_i[h][0], mtip: lines_i[h][1], meip: lines_i[h][2],
                          seip: lines_i[h][3], mtime: mtime_i[h]};
    assign lost_o[h] = lost[h].valid ? lost[h].addr : '0;
    for (genvar k = 0; k < int'(CoreWidth); k++) begin : gen_lane
      /* verilator lint_off UNUSEDSIGNAL */  // what is compared is part of it
      rvfi_insn_t insn;
      /* verilator lint_on UNUSEDSIGNAL */
      assign insn = rvfi[h].insn[k];
      assign insn_o[h*int'(CoreWidth)+k] = '{
        word_t'({insn.mem_wmask, insn.rd_addr, insn.rd_fp, insn.rd_valid, insn.valid}), insn.pc_rdata,
        word_t'(insn.insn), insn.rd_wdata, insn.mem_addr, insn.mem_wdata};
    end
    assign trap_o[h] = '{word_t'({rvfi[h].trap.cause, rvfi[h].trap.intr, rvfi[h].trap.valid}), rvfi[h].trap.pc_rdata,
                         rvfi[h].trap.tval, rvfi[h].trap.pc_wdata};
  end
endmodule
