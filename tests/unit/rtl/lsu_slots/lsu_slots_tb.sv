// lsu_slots with flat ports; loads by their information's bits, with the ROB index on top.
module lsu_slots_tb
  import config_pkg::*;
  import core_pkg::*;
  import dcache_pkg::*;
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
  input  logic [1:0]  pick_error_i,
  output logic [1:0]  pick_take_o,
  input  logic        device_i,
  input  logic [63:0] device_addr_i,
  input  logic [63:0] device_info_i,
  input  logic        device_error_i,
  input  logic [1:0]  table_i,         // valid, force
  input  logic [63:0] table_addr_i,
  input  logic [1:0]  drain_i,         // valid, force
  input  logic [63:0] drain_addr_i,
  input  logic [63:0] drain_word_i,
  input  logic [7:0]  drain_mask_i,
  input  logic [2:0]  amo_i,           // force, valid, write
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
  // A load's information as the bench has it: up to 64 bits, the ROB index on top. Where there is more, the bits above
  // are the lowest ones once more, and all are inverted where they have become others.
  localparam int unsigned InfoBits = $bits(load_info_t), RobBits = $bits(rob_idx_t), Rest = InfoBits - RobBits;
  localparam int unsigned Shown = InfoBits < 64 ? InfoBits : 64, Low = Shown - RobBits;
  function automatic load_info_t info_of(input logic [63:0] bits);
    info_of = load_info_t'({bits[Shown-1 -: RobBits], Rest'({bits[Low-1:0], bits[Low-1:0]})});
  endfunction
  function automatic logic [63:0] shown(input load_info_t info);
    shown = 64'({info.rob, info[Low-1:0]});
    if (info != info_of(shown)) shown = ~shown;
  endfunction

  squash_t squash;
  fresh_t fresh [MemPorts];
  load_ask_t pick [MemPorts];
  m1_t m1 [MemPorts];
  slot_takes_t take;
  logic [MemPorts-1:0] bump, pick_take;
  always_comb begin
    squash = '0;
    squash.valid = squash_i[1];
    squash.all = squash_i[0];
    squash.rob = rob_idx_t'(squash_rob_i);
  end
  for (genvar p = 0; p < 2; p++) begin : gen_port
    if (p < MemPorts) begin : gen_there
      assign fresh[p] = '{load: fresh_i[p], probe: probe_i[p], addr: fresh_addr_i[p], info: info_of(fresh_info_i[p]),
                          exception: fresh_exception_i[p], cause: fresh_cause_i[p], device: fresh_device_i[p]};
      assign pick[p] = '{valid: pick_valid_i[p], error: pick_error_i[p], addr: pick_addr_i[p],
                         info: info_of(pick_info_i[p])};
      assign m1_slot_o[p] = m1[p].slot;
      assign m1_addr_o[p] = m1[p].addr;
      assign m1_info_o[p] = shown(m1[p].info);
      assign m1_cause_o[p] = m1[p].cause;
      assign m1_exception_o[p] = m1[p].exception;
      assign m1_device_o[p] = m1[p].device;
    end else begin : gen_none
      assign m1_slot_o[p] = '0;
      assign m1_addr_o[p] = '0;
      assign m1_info_o[p] = '0;
      assign m1_cause_o[p] = '0;
      assign m1_exception_o[p] = 1'b0;
      assign m1_device_o[p] = 1'b0;
    end
  end
  lsu_slots u_dut (
    .clk_i, .rst_ni, .squash_i(squash), .fresh_i(fresh), .bump_o(bump), .pick_i(pick), .pick_take_o(pick_take),
    .device_i('{valid: device_i, error: device_error_i, addr: device_addr_i, info: info_of(device_info_i)}),
    .table_i('{valid: table_i[1], urgent: table_i[0], lacks: 1'b0, addr: table_addr_i}),
    .drain_i('{valid: drain_i[1], urgent: drain_i[0], lacks: 1'b0, addr: drain_addr_i, word: drain_word_i,
               mask: drain_mask_i}),
    .amo_i('{valid: amo_i[1], write: amo_i[0], urgent: amo_i[2], lacks: 1'b0, addr: amo_addr_i, word: amo_word_i,
             mask: amo_mask_i}),
    .prefetch_i('{valid: prefetch_i, line: line_t'(prefetch_line_i)}), .take_o(take), .write_block_i, .m1_o(m1),
    .m1_write_word_o, .m1_write_mask_o
  );
  assign take_o = {take.device, take.table_, take.drain, take.amo, take.prefetch};
  assign ports_o = MemPorts;
  assign info_bits_o = Shown;
  assign rob_bits_o = RobBits;
  assign rob_entries_o = RobEntries;
  assign bump_o = 2'(bump);
  assign pick_take_o = 2'(pick_take);
endmodule
