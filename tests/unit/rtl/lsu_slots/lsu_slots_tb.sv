// lsu_slots with flat ports; loads by their information's bits, with the ROB index on top.
module lsu_slots_tb
  import config_pkg::*;
  import core_pkg::*;
  import lsu_pkg::*;
(
  input  logic        clk_i,
  input  logic        rst_ni,
  output logic [31:0] ports_o,
  output logic [31:0] info_bits_o,
  output logic [31:0] rob_bits_o,
  output logic [31:0] rob_entries_o,
  input  logic [1:0]  squash_i,        // valid, all
  input  logic [15:0] squash_rob_i,
  input  logic [1:0]  fresh_i,
  input  logic [63:0] fresh_addr_i [2],
  input  logic [63:0] fresh_info_i [2],
  input  logic [1:0]  fresh_exception_i,
  input  logic [5:0]  fresh_cause_i [2],
  input  logic [1:0]  fresh_device_i,
  output logic [1:0]  bump_o,
  input  logic [1:0]  probe_i,
  input  logic [1:0]  pick_valid_i,
  input  logic [63:0] pick_addr_i [2],
  input  logic [63:0] pick_info_i [2],
  output logic [1:0]  pick_take_o,
  input  logic        device_i,
  input  logic [63:0] device_addr_i,
  input  logic [63:0] device_info_i,
  input  logic [1:0]  table_i,         // valid, force
  input  logic [63:0] table_addr_i,
  input  logic [1:0]  drain_i,         // valid, force
  input  logic [63:0] drain_addr_i,
  input  logic [63:0] drain_word_i,
  input  logic [7:0]  drain_mask_i,
  input  logic [1:0]  amo_i,           // valid, write
  input  logic [63:0] amo_addr_i,
  input  logic [63:0] amo_word_i,
  input  logic [7:0]  amo_mask_i,
  input  logic        prefetch_i,
  input  logic [63:0] prefetch_line_i,
  input  logic        write_block_i,
  output logic [4:0]  take_o,          // device, table, drain, AMO, prefetch
  output logic [3:0]  m1_slot_o [2],
  output logic [63:0] m1_addr_o [2],
  output logic [63:0] m1_info_o [2],
  output logic [1:0]  m1_exception_o,
  output logic [5:0]  m1_cause_o [2],
  output logic [1:0]  m1_device_o,
  output logic [63:0] m1_write_word_o,
  output logic [7:0]  m1_write_mask_o
);
  squash_t squash;
  word_t fresh_addr [MemPorts], pick_addr [MemPorts], m1_addr [MemPorts];
  load_info_t fresh_info [MemPorts], pick_info [MemPorts], m1_info [MemPorts];
  cause_t fresh_cause [MemPorts], m1_cause [MemPorts];
  slot_e m1_slot [MemPorts];
  logic [MemPorts-1:0] bump, pick_take, m1_exception, m1_device;
  always_comb begin
    squash = '0;
    squash.valid = squash_i[1];
    squash.all = squash_i[0];
    squash.rob = rob_idx_t'(squash_rob_i);
  end
  for (genvar p = 0; p < 2; p++) begin : gen_port
    if (p < MemPorts) begin : gen_there
      assign fresh_addr[p] = fresh_addr_i[p];
      assign fresh_info[p] = load_info_t'(fresh_info_i[p]);
      assign fresh_cause[p] = fresh_cause_i[p];
      assign pick_addr[p] = pick_addr_i[p];
      assign pick_info[p] = load_info_t'(pick_info_i[p]);
      assign m1_slot_o[p] = m1_slot[p];
      assign m1_addr_o[p] = m1_addr[p];
      assign m1_info_o[p] = 64'(m1_info[p]);
      assign m1_cause_o[p] = m1_cause[p];
    end else begin : gen_none
      assign m1_slot_o[p] = '0;
      assign m1_addr_o[p] = '0;
      assign m1_info_o[p] = '0;
      assign m1_cause_o[p] = '0;
    end
  end
  lsu_slots u_dut (
    .clk_i, .rst_ni, .squash_i(squash), .fresh_i(fresh_i[MemPorts-1:0]), .fresh_addr_i(fresh_addr), .fresh_info_i(fresh_info),
    .fresh_exception_i(fresh_exception_i[MemPorts-1:0]), .fresh_cause_i(fresh_cause), .fresh_device_i(fresh_device_i[MemPorts-1:0]),
    .bump_o(bump), .probe_i(probe_i[MemPorts-1:0]), .pick_valid_i(pick_valid_i[MemPorts-1:0]), .pick_addr_i(pick_addr),
    .pick_info_i(pick_info), .pick_take_o(pick_take), .device_valid_i(device_i), .device_addr_i, .device_info_i(load_info_t'(device_info_i)),
    .device_take_o(take_o[4]), .table_valid_i(table_i[1]), .table_force_i(table_i[0]), .table_addr_i, .table_take_o(take_o[3]),
    .drain_valid_i(drain_i[1]), .drain_force_i(drain_i[0]), .drain_addr_i, .drain_word_i, .drain_mask_i, .drain_take_o(take_o[2]),
    .amo_valid_i(amo_i[1]), .amo_write_i(amo_i[0]), .amo_addr_i, .amo_word_i, .amo_mask_i, .amo_take_o(take_o[1]),
    .prefetch_valid_i(prefetch_i), .prefetch_line_i(line_t'(prefetch_line_i)), .prefetch_take_o(take_o[0]), .write_block_i,
    .m1_slot_o(m1_slot), .m1_addr_o(m1_addr), .m1_info_o(m1_info), .m1_exception_o(m1_exception), .m1_cause_o(m1_cause),
    .m1_device_o(m1_device), .m1_write_word_o, .m1_write_mask_o
  );
  assign ports_o = MemPorts;
  assign info_bits_o = $bits(load_info_t);
  assign rob_bits_o = $bits(rob_idx_t);
  assign rob_entries_o = RobEntries;
  assign bump_o = 2'(bump);
  assign pick_take_o = 2'(pick_take);
  assign m1_exception_o = 2'(m1_exception);
  assign m1_device_o = 2'(m1_device);
endmodule
