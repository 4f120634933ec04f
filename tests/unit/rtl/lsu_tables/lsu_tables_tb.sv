// lsu_tables with flat ports; cache ports by their bits.
module lsu_tables_tb
  import config_pkg::*;
  import core_pkg::*;
  import mmu_pkg::*;
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
  input  logic        write_i,
  input  logic [63:0] write_addr_i,
  input  logic [7:0]  write_low_i,
  output logic        write_done_o,
  output logic        write_error_o,
  output logic        read_slot_o,
  output logic        read_force_o,
  output logic [63:0] read_slot_addr_o,
  input  logic        read_take_i,
  input  logic        store_i,
  input  logic        store_urgent_i,
  input  logic [63:0] store_addr_i,
  input  logic [63:0] store_word_i,
  input  logic [7:0]  store_mask_i,
  output logic        store_take_o,
  output logic        drain_o,
  output logic        drain_urgent_o,
  output logic [63:0] drain_addr_o,
  output logic [63:0] drain_word_o,
  output logic [7:0]  drain_mask_o,
  input  logic        drain_take_i,
  input  logic [1:0]  m1_table_i,      // cache port in M1 that has the walker's read
  input  logic [1:0]  m1_drain_i,      // ... a drain
  input  logic [1:0]  hit_i,
  input  logic [1:0]  join_i,
  input  logic [63:0] word_i [2],
  input  logic        full_i,
  input  logic        refill_i,
  input  logic        refill_error_i,
  input  logic [63:0] refill_line_i,
  output logic        store_hit_o,
  output logic        store_miss_o,
  output logic        store_sleep_o
);
  slot_e slot [MemPorts];
  word_t word [MemPorts];
  drain_t drain;
  table_ask_t read_slot;
  table_data_t data;
  table_written_t written;
  for (genvar p = 0; p < MemPorts; p++) begin : gen_port
    assign slot[p] = m1_table_i[p] ? SLOT_TABLE : m1_drain_i[p] ? SLOT_DRAIN : SLOT_LOAD;
    assign word[p] = word_i[p];
  end
  lsu_tables u_dut (
    .clk_i, .rst_ni, .read_i('{valid: read_i, addr: read_addr_i}), .data_o(data),
    .write_i('{valid: write_i, addr: write_addr_i, low: write_low_i}), .written_o(written),
    .read_slot_o(read_slot), .read_slot_take_i(read_take_i),
    .store_i('{valid: store_i, urgent: store_urgent_i, addr: store_addr_i, word: store_word_i, mask: store_mask_i}),
    .store_take_o, .drain_o(drain), .drain_take_i, .slot_i(slot), .hit_i(hit_i[MemPorts-1:0]),
    .join_i(join_i[MemPorts-1:0]), .word_i(word),
    .full_i, .refill_i('{valid: refill_i, error: refill_error_i, line: line_t'(refill_line_i), default: '0}),
    .store_hit_o, .store_miss_o, .store_sleep_o
  );
  assign ports_o = MemPorts;
  assign read_done_o = data.done;
  assign read_error_o = data.error;
  assign {write_done_o, write_error_o} = written;
  assign read_data_o = data.data;
  assign read_slot_o = read_slot.valid;
  assign read_force_o = read_slot.urgent;
  assign read_slot_addr_o = read_slot.addr;
  assign drain_o = drain.valid;
  assign drain_urgent_o = drain.urgent;
  assign drain_addr_o = drain.addr;
  assign drain_word_o = drain.word;
  assign drain_mask_o = drain.mask;
endmodule
