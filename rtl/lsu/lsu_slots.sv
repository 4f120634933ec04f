// From EX to M1: what each cache port does next, chosen by lsu_arb, with its operands. Latency: one cycle.
//
// Loads that a squash kills in EX do not reach M1. All outputs are registers.
module lsu_slots
  import config_pkg::*;
  import core_pkg::*;
  import lsu_pkg::*;
(
  input  logic clk_i,
  input  logic rst_ni,
  input  squash_t squash_i,
  // fresh loads, and stores that would fetch their line
  input  logic [MemPorts-1:0] fresh_i,
  input  word_t fresh_addr_i [MemPorts],
  input  load_info_t fresh_info_i [MemPorts],
  input  logic [MemPorts-1:0] fresh_exception_i,
  input  cause_t fresh_cause_i [MemPorts],
  input  logic [MemPorts-1:0] fresh_device_i,
  output logic [MemPorts-1:0] bump_o,
  input  logic [MemPorts-1:0] probe_i,
  // retries
  input  logic [MemPorts-1:0] pick_valid_i,
  input  word_t pick_addr_i [MemPorts],
  input  load_info_t pick_info_i [MemPorts],
  output logic [MemPorts-1:0] pick_take_o,
  // device load that has its data
  input  logic device_valid_i,
  input  word_t device_addr_i,
  input  load_info_t device_info_i,
  output logic device_take_o,
  // the walker reads a table entry
  input  logic table_valid_i,
  input  logic table_force_i,
  input  word_t table_addr_i,
  output logic table_take_o,
  // drain
  input  logic drain_valid_i,
  input  logic drain_force_i,
  input  word_t drain_addr_i,
  input  word_t drain_word_i,
  input  logic [7:0] drain_mask_i,
  output logic drain_take_o,
  // AMO
  input  logic amo_valid_i,
  input  logic amo_write_i,
  input  word_t amo_addr_i,
  input  word_t amo_word_i,
  input  logic [7:0] amo_mask_i,
  output logic amo_take_o,
  input  logic prefetch_valid_i,
  input  line_t prefetch_line_i,
  output logic prefetch_take_o,
  input  logic write_block_i,
  // M1
  output slot_e m1_slot_o [MemPorts],
  output word_t m1_addr_o [MemPorts],
  output load_info_t m1_info_o [MemPorts],
  output logic [MemPorts-1:0] m1_exception_o,
  output cause_t m1_cause_o [MemPorts],
  output logic [MemPorts-1:0] m1_device_o,
  output word_t m1_write_word_o,
  output logic [7:0] m1_write_mask_o
);
  slot_e slot [MemPorts];
  logic [MemPorts-1:0] retry;
  logic [MemPorts-1:0] pick [MemPorts];

  lsu_arb u_arb (
    .fresh_i,
    .plain_i(fresh_i & ~fresh_exception_i & ~fresh_device_i),
    .probe_i,
    .amo_valid_i,
    .amo_write_i,
    .device_valid_i,
    .table_valid_i,
    .table_force_i,
    .pick_valid_i,
    .drain_valid_i,
    .drain_force_i,
    .prefetch_valid_i,
    .write_block_i,
    .slot_o(slot),
    .retry_o(retry),
    .pick_o(pick),
    .pick_take_o,
    .bump_o,
    .amo_take_o,
    .device_take_o,
    .table_take_o,
    .drain_take_o,
    .prefetch_take_o
  );

  slot_e slot_d [MemPorts];
  word_t addr_d [MemPorts];
  load_info_t info_d [MemPorts];
  logic [MemPorts-1:0] device_d, exception_d;
  always_comb
    for (int p = 0; p < MemPorts; p++) begin
      slot_d[p] = slot[p];
      addr_d[p] = fresh_addr_i[p];
      info_d[p] = fresh_info_i[p];
      device_d[p] = 1'b0;
      exception_d[p] = 1'b0;
      case (slot[p])
        SLOT_LOAD:
          if (retry[p]) begin
            // A load that waited for its device goes on by SLOT_DEVICE, so what is retried is cached memory.
            for (int k = 0; k < MemPorts; k++)
              if (pick[p][k]) begin
                addr_d[p] = pick_addr_i[k];
                info_d[p] = pick_info_i[k];
              end
          end else begin
            device_d[p] = fresh_device_i[p];
            exception_d[p] = fresh_exception_i[p];
          end
        SLOT_DEVICE: begin
          addr_d[p] = device_addr_i;
          info_d[p] = device_info_i;
        end
        SLOT_DRAIN: addr_d[p] = drain_addr_i;
        SLOT_TABLE: addr_d[p] = table_addr_i;
        SLOT_AMO_READ, SLOT_AMO_WRITE: addr_d[p] = amo_addr_i;
        SLOT_PREFETCH: addr_d[p] = word_t'({prefetch_line_i, 6'd0});
        default: ;
      endcase
      if ((slot[p] == SLOT_LOAD || slot[p] == SLOT_DEVICE) && killed(squash_i, info_d[p].rob)) slot_d[p] = SLOT_NONE;
    end

  always_ff @(posedge clk_i)
    for (int p = 0; p < MemPorts; p++) m1_slot_o[p] <= rst_ni ? slot_d[p] : SLOT_NONE;

  always_ff @(posedge clk_i) begin
    for (int p = 0; p < MemPorts; p++)
      if (slot_d[p] != SLOT_NONE) begin
        m1_addr_o[p] <= addr_d[p];
        m1_info_o[p] <= info_d[p];
        m1_cause_o[p] <= fresh_cause_i[p];
      end
    m1_device_o <= device_d;
    m1_exception_o <= exception_d;
    m1_write_word_o <= drain_take_o ? drain_word_i : amo_word_i;
    m1_write_mask_o <= drain_take_o ? drain_mask_i : amo_mask_i;
  end
endmodule
