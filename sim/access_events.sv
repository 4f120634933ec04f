// Emits to C when each access to memory takes place, for the worker that checks their order
// (csrc/workers/memory_order.c): a load in the M1 that binds its value, a store in the M1 that writes the L1.
//
// Read by hierarchical name at its source. In the order that counts in a cycle: what the host wrote at the edge before
// it, loads, what AMOs read, then what is written.
`define LSU u_tile.u_core.u_lsu
`define SQ `LSU.u_store_queue
`define AMO `LSU.u_amo
`define DC `LSU.u_dcache
module access_events
  import config_pkg::*;
  import core_pkg::*;
  import dcache_pkg::*;
  import lsu_pkg::*;
  import dpi_pkg::*;
;
  // Kinds, as csrc/trace/cycle.h has them. id: the place in the load or store queue; AMOs have none.
  typedef enum int {
    ACCESS_HOST,    // the host's next word is in memory
    ACCESS_LOAD,    // a load is bound
    ACCESS_AMO,     // an AMO has read
    ACCESS_LR,
    ACCESS_STORE,   // a store is visible
    ACCESS_AMO_STORE,
    ACCESS_TABLE,   // an entry of a page table is: its low byte, which alone is another
    ACCESS_LOST,    // a store leaves, and writes nothing
    ACCESS_OTHER,   // another hart's store is visible: one core makes none
    ACCESS_LINE_SHARED, // of several harts: the L1 holds a line from the next cycle on, and must not write it
    ACCESS_LINE_OWNED,  // ... and may
    ACCESS_LINE_LOST    // ... holds it no more
  } access_e;
  import "DPI-C" function void tipoff_access(input int kind, input int id, input int size, input longint unsigned addr,
                                             input longint unsigned data);

  logic wanted;
  initial wanted = 1'(tipoff_options() >> 29);

  logic [MemPorts-1:0] bound;
  logic amo, table_written, lines, happens;
  always_comb begin
    for (int p = 0; p < MemPorts; p++)
      bound[p] = `LSU.m1_search[p] && !`LSU.m1_info[p].hint && `LSU.result[p].result == RES_DONE;
    amo = `AMO.in_m1 && `AMO.hit_i && !`AMO.swap_q;
    table_written = `LSU.m1_slot[0] == SLOT_AMO_WRITE && `AMO.hit_i && `AMO.swap_q;
    lines = Coherent && (`DC.arrives || `DC.drop_way != '0 || `DC.share_way != '0);
    happens = 1'b0;
    if (wanted)
      happens = lines || bound != '0 || `LSU.drain_end.hit || amo || table_written || `SQ.fails || u_htif.wrote;
  end

  function automatic void emit_amo();
    if (`LSU.m1_slot[0] == SLOT_AMO_WRITE)
      tipoff_access(ACCESS_AMO_STORE, 0, int'(access_size(`AMO.op_q)), `AMO.addr_q, `AMO.new_value);
    else
      tipoff_access(`AMO.is_lr ? ACCESS_LR : ACCESS_AMO, 0, int'(access_size(`AMO.op_q)), `AMO.addr_q, 0);
  endfunction

  // States of the L1's lines, as they are from the next cycle on. In one cycle a line comes, with or without another
  // one that leaves for it, or one is dropped (by a snoop, or to be asked for as the only copy), or one becomes shared.
  function automatic void emit_line(input access_e kind, input dc_tag_t tag, input dc_set_t set,
                                    input logic [line_pkg::LineBits-1:0] data);
    tipoff_access(int'(kind), 1, 3, 64'({tag, set, 6'b0}), digest(data));
  endfunction
  // csrc/memory_order has the same of what memory holds after all stores.
  function automatic longint unsigned digest(input logic [line_pkg::LineBits-1:0] data);
    digest = 0;
    for (int i = 0; i < line_pkg::LineBits / 64; i++) digest = {digest[56:0], digest[63:57]} ^ data[64*i+:64];
  endfunction
  // One that is asked for as the only copy is not read by the port for a set.
  function automatic void emit_dropped(input dc_tag_t tag, input logic [line_pkg::LineBits-1:0] data);
    for (int p = 0; p < MemPorts; p++)
      if (`DC.upgrade_o[p] && `DC.look_way[p] == `DC.drop_way) begin
        tipoff_access(ACCESS_LINE_LOST, 0, 3, 64'({`DC.look_line[p], 6'b0}), 0);
        return;
      end
    emit_line(ACCESS_LINE_LOST, tag, `DC.drop_set, data);
  endfunction
  function automatic void emit_lines();
    for (int w = 0; w < DcWays; w++) begin
      if (`DC.arrives && `DC.victim[w]) begin
        if (`DC.old[w].valid) emit_line(ACCESS_LINE_LOST, `DC.old[w].tag, `DC.old_set, `DC.old[w].data);
        emit_line(`DC.arrival.owned ? ACCESS_LINE_OWNED : ACCESS_LINE_SHARED, `DC.refill_o.line[PaBits-7:DcSetBits],
                  `DC.old_set, `DC.refill_data);
      end
      if (`DC.drop_way[w]) emit_dropped(`DC.old[w].tag, `DC.old[w].data);
      if (`DC.share_way[w]) emit_line(ACCESS_LINE_SHARED, `DC.old[w].tag, `DC.old_set, `DC.old[w].data);
    end
  endfunction

  // Between the monitor's opening and closing of a cycle.
  function automatic void emit();
    if (u_htif.wrote) tipoff_access(ACCESS_HOST, 0, 0, 0, 0);
    for (int p = 0; p < MemPorts; p++)
      if (bound[p]) tipoff_access(ACCESS_LOAD, int'(`LSU.m1_info[p].lq.idx), int'(`LSU.m1_info[p].size),
                                  `LSU.m1_addr[p], 0);
    if (amo) emit_amo();
    if (`LSU.drain_end.hit)
      tipoff_access(ACCESS_STORE, int'(`SQ.head_q.idx), int'(`SQ.sq_size_q[`SQ.head_q.idx]),
                    `SQ.sq_addr_q[`SQ.head_q.idx], `SQ.sq_data_q[`SQ.head_q.idx]);
    if (table_written)
      tipoff_access(ACCESS_TABLE, 0, 0, `AMO.addr_q, word_t'(`AMO.operand_q[7:0]));
    if (lines) emit_lines();
    if (`SQ.fails)
      tipoff_access(ACCESS_LOST, int'(`SQ.head_q.idx), int'(`SQ.sq_size_q[`SQ.head_q.idx]),
                    `SQ.sq_addr_q[`SQ.head_q.idx], 0);
  endfunction
endmodule
`undef LSU
`undef SQ
`undef AMO
`undef DC
