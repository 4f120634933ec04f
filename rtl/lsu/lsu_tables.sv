// Page-table entries through the data cache: the walker's reads, and writes of an entry's low byte (A and D).
//
//   read_i  --> lsu_table_read  --read_slot_o--> a slot of its own --+
//   write_i --> lsu_table_write --+--drain_o---> the drain's slot ---+--> M1: back to those who asked
//   store_i (store queue) --------+
//
// Combinational but for the two below it. Writes go before stores on the drain's slot. Invariant: write_i comes only
// while no committed store is left, so a write never meets a store that drains.
module lsu_tables
  import config_pkg::*;
  import core_pkg::*;
  import mmu_pkg::*;
  import lsu_pkg::*;
(
  input  logic clk_i,
  input  logic rst_ni,
  // walker
  input  table_read_t read_i,
  output table_data_t data_o,
  input  table_write_t write_i,
  output table_written_t written_o,
  // EX
  output table_ask_t read_slot_o,
  input  logic read_slot_take_i,
  input  drain_t store_i,                    // the store queue's
  output logic store_take_o,
  output drain_t drain_o,
  input  logic drain_take_i,
  // M1
  input  slot_e slot_i [MemPorts],
  input  logic [MemPorts-1:0] hit_i,
  input  logic [MemPorts-1:0] join_i,        // missed, the line is on its way
  input  word_t word_i [MemPorts],
  input  logic full_i,                       // missed and no MSHR is free
  input  refill_t refill_i,
  output logic store_hit_o,                  // of a store that drains
  output logic store_miss_o,
  output logic store_sleep_o
);
  logic update_valid, update_m1, drain_hit, drain_miss, drain_sleep, table_hit, table_join;
  word_t table_word;

  assign read_slot_o.addr = read_i.addr;
  assign drain_o.valid = store_i.valid || update_valid;
  assign drain_o.urgent = store_i.urgent || update_valid;
  assign drain_o.addr = update_valid ? write_i.addr : store_i.addr;
  assign drain_o.word = update_valid ? word_t'(write_i.low) : store_i.word;
  assign drain_o.mask = update_valid ? 8'h01 : store_i.mask;
  assign store_take_o = drain_take_i && !update_valid;

  always_comb begin
    drain_hit = 1'b0;
    drain_miss = 1'b0;
    drain_sleep = full_i;
    table_hit = 1'b0;
    table_join = 1'b0;
    table_word = '0;
    for (int p = 0; p < MemPorts; p++) begin
      if (slot_i[p] == SLOT_DRAIN) begin
        drain_hit = hit_i[p];
        drain_miss = !hit_i[p];
        drain_sleep = join_i[p] || full_i;
      end
      if (slot_i[p] == SLOT_TABLE) begin
        table_hit = hit_i[p];
        table_join = join_i[p];
        table_word = word_i[p];
      end
    end
  end
  assign store_hit_o = drain_hit && !update_m1;
  assign store_miss_o = drain_miss && !update_m1;
  assign store_sleep_o = drain_sleep;

  lsu_table_read u_table_read (
    .clk_i, .rst_ni, .valid_i(read_i.valid), .line_i(line_of(read_i.addr)), .data_o,
    .slot_valid_o(read_slot_o.valid), .slot_force_o(read_slot_o.urgent), .slot_take_i(read_slot_take_i),
    .hit_i(table_hit), .word_i(table_word), .join_i(table_join), .full_i, .refill_i
  );

  lsu_table_write u_table_write (
    .clk_i, .rst_ni, .valid_i(write_i.valid), .line_i(line_of(write_i.addr)), .done_o(written_o.done),
    .error_o(written_o.error), .slot_valid_o(update_valid), .slot_take_i(drain_take_i && update_valid),
    .slot_m1_o(update_m1), .hit_i(drain_hit), .sleep_i(drain_sleep), .refill_i
  );
endmodule
