// lsu_table_read with flat ports; cache ports by their bits.
module lsu_table_read_tb
  import config_pkg::*;
  import core_pkg::*;
  import mmu_pkg::*;
  import dcache_pkg::*;
  import lsu_pkg::*;
(
  input  logic        clk_i,
  input  logic        rst_ni,
  output logic [31:0] ports_o,
  input  logic        read_i,
  input  logic [63:0] read_addr_i,
  output logic        read_done_o,
  output logic        read_error_o,
  output logic [63:0] read_data_o,
  output logic        read_slot_o,
  output logic        read_force_o,
  output logic [63:0] read_slot_addr_o,
  input  logic        read_take_i,
  input  logic [1:0]  m1_table_i,      // cache port in M1 that has the walker's read
  input  logic [1:0]  hit_i,
  input  logic [1:0]  join_i,
  input  logic [63:0] word_i [2],
  input  logic        full_i,
  input  logic        refill_i,
  input  logic        refill_error_i,
  input  logic [63:0] refill_line_i
);
  slot_e slot [MemPorts];
  word_t word [MemPorts];
  table_ask_t read_slot;
  table_data_t data;
  for (genvar p = 0; p < MemPorts; p++) begin : gen_port
    assign slot[p] = m1_table_i[p] ? SLOT_TABLE : SLOT_LOAD;
    assign word[p] = word_i[p];
  end
  lsu_table_read u_dut (
    .clk_i, .rst_ni, .read_i('{valid: read_i, addr: read_addr_i}), .data_o(data), .slot_o(read_slot),
    .slot_take_i(read_take_i), .slot_i(slot), .hit_i(hit_i[MemPorts-1:0]), .word_i(word),
    .join_i(join_i[MemPorts-1:0]), .full_i,
    .refill_i('{valid: refill_i, error: refill_error_i, line: line_t'(refill_line_i), default: '0})
  );
  assign ports_o = MemPorts;
  assign read_done_o = data.done;
  assign read_error_o = data.error;
  assign read_data_o = data.data;
  assign read_slot_o = read_slot.valid;
  assign read_force_o = read_slot.urgent;
  assign read_slot_addr_o = read_slot.addr;
endmodule
