// M1: what a cache port's slot looks for, in the store queue and in the data cache. Combinational.
module lsu_look
  import config_pkg::*;
  import core_pkg::*;
  import dcache_pkg::*;
  import lsu_pkg::*;
(
  input  squash_t squash_i,
  input  mshr_turn_t turn_i,
  input  m1_t m1_i [MemPorts],
  output logic [MemPorts-1:0] load_o,        // a load that is not squashed
  output logic [MemPorts-1:0] device_end_o,  // a device load, likewise
  output logic [MemPorts-1:0] search_o,      // a load that has an address in memory
  output store_look_t store_o [MemPorts],
  // in the cache, as its ports of these names
  output logic [MemPorts-1:0] valid_o,
  output mshr_rank_e rank_o [MemPorts],
  output look_ask_t ask_o [MemPorts],
  output logic [MemPorts-1:0] write_o
);
  always_comb
    for (int p = 0; p < MemPorts; p++) begin
      automatic slot_e slot = m1_i[p].slot;
      automatic logic probe, first;
      automatic logic memory = slot == SLOT_LOAD && !m1_i[p].exception && !m1_i[p].device;
      load_o[p] = slot == SLOT_LOAD && !killed(squash_i, m1_i[p].info.rob);
      device_end_o[p] = slot == SLOT_DEVICE && !killed(squash_i, m1_i[p].info.rob);
      search_o[p] = load_o[p] && memory;
      // Not search_o: the store queue does not wait for the squash, and nobody looks at what it finds for the dead.
      store_o[p] = '{valid: memory, addr: m1_i[p].addr, mask: byte_mask(m1_i[p].info.size, m1_i[p].addr[2:0]),
                     sq: m1_i[p].info.sq};
      write_o[p] = slot == SLOT_DRAIN || slot == SLOT_AMO_WRITE;
      probe = slot == SLOT_PROBE || slot == SLOT_PREFETCH || (search_o[p] && m1_i[p].info.hint);
      first = (turn_i.writer && (write_o[p] || slot == SLOT_AMO_READ)) || (turn_i.table_ && slot == SLOT_TABLE);
      rank_o[p] = first ? RANK_FIRST : probe || turn_i != '0 ? RANK_SPARE : RANK_ANY;
      ask_o[p] = '{kind: hub_pkg::HUB_GET, hold: probe ? HOLD_NONE : HOLD_USE};
      if (slot == SLOT_PREFETCH) ask_o[p].kind = hub_pkg::HUB_TRYGET;
      if (search_o[p] && m1_i[p].info.hint && m1_i[p].info.owns) ask_o[p].kind = hub_pkg::HUB_OWN;
      if (write_o[p] || slot == SLOT_AMO_READ)
        ask_o[p] = '{kind: hub_pkg::HUB_OWN, hold: slot == SLOT_DRAIN ? HOLD_USE : HOLD_ATOMIC};
      valid_o[p] = search_o[p] || write_o[p] || probe || slot == SLOT_AMO_READ || slot == SLOT_TABLE;
    end
endmodule
