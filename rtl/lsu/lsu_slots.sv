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
  input  fresh_t fresh_i [MemPorts],
  output logic [MemPorts-1:0] bump_o,        // a first try has lost its port
  input  load_ask_t pick_i [MemPorts],       // retries
  output logic [MemPorts-1:0] pick_take_o,
  input  load_ask_t device_i,                // device load that has its data
  input  table_ask_t table_i,
  input  drain_t drain_i,
  input  amo_ask_t amo_i,
  input  prefetch_ask_t prefetch_i,
  output slot_takes_t take_o,
  input  logic write_block_i,
  output m1_t m1_o [MemPorts],
  output word_t m1_write_word_o,
  output logic [7:0] m1_write_mask_o
);
  slot_e slot [MemPorts];
  logic [MemPorts-1:0] retry, back;
  logic [MemPorts-1:0] pick [MemPorts];

  logic [MemPorts-1:0] fresh, once, probe, pick_valid;
  always_comb
    for (int p = 0; p < MemPorts; p++) begin
      fresh[p] = fresh_i[p].load;
      once[p] = fresh_i[p].exception || fresh_i[p].device;
      probe[p] = fresh_i[p].probe;
      pick_valid[p] = pick_i[p].valid;
    end

  lsu_arb u_arb (
    .fresh_i(fresh),
    .once_i(once),
    .probe_i(probe),
    .amo_valid_i(amo_i.valid),
    .amo_write_i(amo_i.write),
    .amo_force_i(amo_i.urgent),
    .device_valid_i(device_i.valid),
    .table_valid_i(table_i.valid),
    .table_force_i(table_i.urgent),
    .pick_valid_i(pick_valid),
    .drain_valid_i(drain_i.valid),
    .drain_force_i(drain_i.urgent),
    .prefetch_valid_i(prefetch_i.valid),
    .write_block_i,
    .slot_o(slot),
    .retry_o(retry),
    .pick_o(pick),
    .pick_take_o,
    .back_o(back),
    .bump_o,
    .amo_take_o(take_o.amo),
    .device_take_o(take_o.device),
    .table_take_o(take_o.table_),
    .drain_take_o(take_o.drain),
    .prefetch_take_o(take_o.prefetch)
  );

  // What of EX is late, translation and checks, meets one multiplexer on its way to M1: everything else is chosen
  // before.
  m1_t m1_d [MemPorts];
  logic [MemPorts-1:0] dead;  // what has the port dies
  always_comb
    for (int p = 0; p < MemPorts; p++) begin
      m1_d[p] = '{slot: slot[p], addr: fresh_i[p].addr, info: fresh_i[p].info, exception: 1'b0, cause: fresh_i[p].cause,
                  device: 1'b0};
      dead[p] = 1'b0;
      case (slot[p])
        SLOT_LOAD:
          if (retry[p]) begin
            // A load that waited for its device goes on by SLOT_DEVICE, so what is retried is cached memory.
            for (int k = 0; k < MemPorts; k++)
              if (pick[p][k]) begin
                m1_d[p].addr = pick_i[k].addr;
                m1_d[p].info = pick_i[k].info;
                m1_d[p].exception = pick_i[k].error;
                m1_d[p].cause = CauseLoadAccess;
                dead[p] = killed(squash_i, pick_i[k].info.rob);
              end
          end else begin
            m1_d[p].device = fresh_i[p].device;
            m1_d[p].exception = fresh_i[p].exception;
            dead[p] = killed(squash_i, fresh_i[p].info.rob);
          end
        SLOT_DEVICE: begin
          m1_d[p].addr = device_i.addr;
          m1_d[p].info = device_i.info;
          m1_d[p].exception = device_i.error;
          m1_d[p].cause = CauseLoadAccess;
          dead[p] = killed(squash_i, device_i.info.rob);
        end
        SLOT_DRAIN: m1_d[p].addr = drain_i.addr;
        SLOT_TABLE: m1_d[p].addr = table_i.addr;
        SLOT_AMO_READ, SLOT_AMO_WRITE: m1_d[p].addr = amo_i.addr;
        SLOT_PREFETCH: m1_d[p].addr = word_t'({prefetch_i.line, 6'd0});
        default: ;
      endcase
      if (back[p]) begin
        m1_d[p].slot = SLOT_LOAD;
        m1_d[p].addr = fresh_i[p].addr;
        m1_d[p].info = fresh_i[p].info;
        m1_d[p].device = fresh_i[p].device;
        m1_d[p].exception = fresh_i[p].exception;
        m1_d[p].cause = fresh_i[p].cause;
        dead[p] = killed(squash_i, fresh_i[p].info.rob);
      end
    end

  always_ff @(posedge clk_i)
    for (int p = 0; p < MemPorts; p++) m1_o[p].slot <= rst_ni && !dead[p] ? m1_d[p].slot : SLOT_NONE;

  always_ff @(posedge clk_i) begin
    for (int p = 0; p < MemPorts; p++) begin
      // With nobody in the slot these are the fresh load's, which nobody looks at: an enable would come last of all.
      m1_o[p].addr <= m1_d[p].addr;
      m1_o[p].info <= m1_d[p].info;
      m1_o[p].cause <= m1_d[p].cause;
      m1_o[p].device <= m1_d[p].device;
      m1_o[p].exception <= m1_d[p].exception;
    end
    m1_write_word_o <= take_o.drain ? drain_i.word : amo_i.word;
    m1_write_mask_o <= take_o.drain ? drain_i.mask : amo_i.mask;
  end
endmodule
