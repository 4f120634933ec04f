// Who gets the MemPorts cache ports in EX. Combinational.
//
// Fresh loads have their own port; the rest shares what is free, in this order: AMO (port 0), completing device
// load, the walker's read, retries (oldest first), drain of a store, probes, prefetches. A drain that has waited long
// enough takes the last port from whoever has it, an AMO or a walker's read the first.
//
// Whether a load may be retried is known last of all, by translation and checks: everything is chosen as if it might,
// and where it may not, it has its port back (back_o), and what was forced tries again in the next cycle.
module lsu_arb
  import config_pkg::*;
  import lsu_pkg::*;
(
  input  logic [MemPorts-1:0] fresh_i,         // port p holds a load
  input  logic [MemPorts-1:0] once_i,          // ... that cannot be retried: an exception or a device's
  input  logic [MemPorts-1:0] probe_i,         // port p holds a store whose line could be fetched
  input  logic amo_valid_i,
  input  logic amo_write_i,
  input  logic amo_force_i,
  input  logic device_valid_i,
  input  logic table_valid_i,
  input  logic table_force_i,
  input  logic [MemPorts-1:0] pick_valid_i,
  input  logic drain_valid_i,
  input  logic drain_force_i,
  input  logic prefetch_valid_i,
  input  logic write_block_i,                  // refill in the next cycle: no drain and no AMO may be in M1 then
  output slot_e slot_o [MemPorts],             // where back_o is not set
  output logic [MemPorts-1:0] retry_o,         // SLOT_LOAD holds retry slot_pick_o, not the fresh load
  output logic [MemPorts-1:0] pick_o [MemPorts],  // one-hot: retry that port p takes
  output logic [MemPorts-1:0] pick_take_o,
  output logic [MemPorts-1:0] back_o,          // the port is its fresh load's, whatever slot_o says
  output logic [MemPorts-1:0] bump_o,          // fresh load without its port
  output logic amo_take_o,
  output logic device_take_o,
  output logic table_take_o,
  output logic drain_take_o,
  output logic prefetch_take_o
);
  logic [MemPorts-1:0] amo_forces, drain_forces, table_forces;  // takes the port of a fresh load
  logic amo_take, table_take, drain_take;
  always_comb begin
    automatic logic [MemPorts-1:0] free = ~fresh_i;
    automatic logic drain_may;
    retry_o = '0;
    pick_take_o = '0;
    amo_forces = '0;
    drain_forces = '0;
    table_forces = '0;
    amo_take = 1'b0;
    device_take_o = 1'b0;
    table_take = 1'b0;
    drain_take = 1'b0;
    prefetch_take_o = 1'b0;
    drain_may = drain_valid_i && !write_block_i;
    for (int p = 0; p < MemPorts; p++) begin
      slot_o[p] = fresh_i[p] ? SLOT_LOAD : SLOT_NONE;
      pick_o[p] = '0;
    end

    if (amo_valid_i && !write_block_i && (free[0] || amo_force_i)) begin
      slot_o[0] = amo_write_i ? SLOT_AMO_WRITE : SLOT_AMO_READ;
      amo_forces[0] = fresh_i[0];
      amo_take = 1'b1;
      free[0] = 1'b0;
    end
    if (drain_may && drain_force_i && (free[MemPorts-1] || (fresh_i[MemPorts-1] && !amo_forces[MemPorts-1]))) begin
      slot_o[MemPorts-1] = SLOT_DRAIN;
      drain_forces[MemPorts-1] = fresh_i[MemPorts-1];
      drain_take = 1'b1;
      free[MemPorts-1] = 1'b0;
    end
    for (int p = 0; p < MemPorts; p++)
      if (device_valid_i && !device_take_o && free[p]) begin
        slot_o[p] = SLOT_DEVICE;
        device_take_o = 1'b1;
        free[p] = 1'b0;
      end
    if (table_valid_i && table_force_i && (free[0] || (fresh_i[0] && !amo_forces[0] && !drain_forces[0]))) begin
      slot_o[0] = SLOT_TABLE;
      table_forces[0] = fresh_i[0];
      table_take = 1'b1;
      free[0] = 1'b0;
    end
    for (int p = 0; p < MemPorts; p++)
      if (table_valid_i && !table_take && free[p]) begin
        slot_o[p] = SLOT_TABLE;
        table_take = 1'b1;
        free[p] = 1'b0;
      end
    for (int k = 0; k < MemPorts; k++)
      for (int p = 0; p < MemPorts; p++)
        if (pick_valid_i[k] && !pick_take_o[k] && free[p]) begin
          slot_o[p] = SLOT_LOAD;
          retry_o[p] = 1'b1;
          pick_o[p][k] = 1'b1;
          pick_take_o[k] = 1'b1;
          free[p] = 1'b0;
        end
    for (int p = 0; p < MemPorts; p++) begin
      if (drain_may && !drain_take && free[p]) begin
        slot_o[p] = SLOT_DRAIN;
        drain_take = 1'b1;
        free[p] = 1'b0;
      end
    end
    for (int p = 0; p < MemPorts; p++)
      if (free[p]) begin
        if (probe_i[p]) slot_o[p] = SLOT_PROBE;
        else if (prefetch_valid_i && !prefetch_take_o) begin
          slot_o[p] = SLOT_PREFETCH;
          prefetch_take_o = 1'b1;
        end
      end
  end

  assign back_o = (amo_forces | drain_forces | table_forces) & once_i;
  assign bump_o = (amo_forces | drain_forces | table_forces) & ~once_i;
  assign amo_take_o = amo_take && (amo_forces & once_i) == '0;
  assign drain_take_o = drain_take && (drain_forces & once_i) == '0;
  assign table_take_o = table_take && (table_forces & once_i) == '0;
endmodule
