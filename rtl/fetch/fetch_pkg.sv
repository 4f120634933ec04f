// Types of the front end.
//
// A fetch block is 2*FetchWidth bytes, aligned; a packet is what one visit to a block yields. Inside a block an
// instruction is named by the slot (16-bit parcel) in which it ENDS: each slot ends at most one instruction, and an
// instruction that straddles two blocks belongs to the second one, as its slot 0.
package fetch_pkg;
  import config_pkg::*;
  import core_pkg::*;

  localparam int unsigned OffsetBits = $clog2(2 * FetchWidth);  // byte offset in a block
  localparam int unsigned SlotBits = $clog2(FetchWidth);
  localparam int unsigned LineBlocks = line_pkg::LineBytes / (2 * FetchWidth);  // blocks in a cache line

  typedef logic [63-OffsetBits:0] block_addr_t;          // address of a block, in blocks
  typedef logic [SlotBits-1:0] slot_t;
  typedef logic [FetchWidth-1:0] slots_t;                // one bit a slot
  typedef logic [FetchWidth-1:0][15:0] parcels_t;        // a block
  typedef logic [23:0] key_t;                            // what the direction predictor sees of a block address

  // Control transfers. Calls push the return stack, returns pop it, SWAP (jalr ra, t0) does both.
  typedef enum logic [2:0] {
    CFI_NONE, CFI_COND, CFI_JUMP, CFI_CALL, CFI_IJUMP, CFI_ICALL, CFI_RET, CFI_SWAP
  } cfi_e;

  function automatic logic cfi_pushes(input cfi_e kind);
    cfi_pushes = kind == CFI_CALL || kind == CFI_ICALL || kind == CFI_SWAP;
  endfunction
  function automatic logic cfi_pops(input cfi_e kind);
    cfi_pops = kind == CFI_RET || kind == CFI_SWAP;
  endfunction

  // ---- path history: what was TAKEN, two positions a transfer, newest lowest ----
  // Sixteen bits of the transfer and of its target are mixed in, so each transfer marks 16 positions and the
  // lowest L positions depend on the last L/2 transfers.
  localparam int unsigned HistBits = 128;
  typedef logic [HistBits-1:0] hist_t;

  function automatic hist_t history_push(input hist_t hist, input logic [15:0] from, input logic [15:0] target);
    logic [15:0] mark;
    mark = from ^ {target[7:0], target[15:8]};
    history_push = (hist << 2) ^ {{HistBits - 16{1'b0}}, mark};
  endfunction

  // Positions that tagged table `number` of `tables` looks at: 8 to 128, geometric.
  function automatic int unsigned history_length(input int unsigned number, input int unsigned tables);
    int unsigned eighths;  // of an octave
    eighths = tables < 2 ? 16 : number * 32 / (tables - 1);
    history_length = (8 << (eighths / 8)) * (8 + eighths % 8) / 8;
  endfunction

  // ---- direction history, for observers: taken or not of the last conditional branches, the youngest in bit 0 ----
  localparam int unsigned HistoryBits = 16;
  typedef logic [HistoryBits-1:0] directions_t;

  // After further branches of one packet: only the last can be taken.
  function automatic directions_t directions_push(input directions_t earlier, input slots_t branches,
                                                  input logic last_taken);
    directions_push = earlier;
    for (int unsigned s = 0; s < FetchWidth; s++) if (branches[s]) directions_push = directions_push << 1;
    directions_push[0] = directions_push[0] | last_taken;
  endfunction

  // ---- what the direction predictor remembers of a prediction until the packet retires ----
  localparam int unsigned TageCount = TageTables == 0 ? 1 : TageTables;  // width of per-table fields
  typedef struct packed {
    logic [FetchWidth-1:0][3:0] provider;  // 0: base predictor, else number of the tagged table, from 1
    logic [FetchWidth-1:0][2:0] ctr;       // the provider's counter (base: its two bits)
    slots_t alt;                           // direction without the provider
    logic [TageCount-1:0][FetchWidth-1:0] useful;
  } tage_meta_t;

  // ---- what a packet's fetch has missed ----
  typedef struct packed {
    logic tlb;                   // the instruction TLB
    logic l1;                    // the instruction cache
  } missed_t;

  // ---- return stack ----
  localparam int unsigned RasBits = $clog2(RasEntries);
  typedef struct packed {
    logic [RasBits-1:0] ptr;
    word_t top;
  } ras_snap_t;

  // ---- short part of a packet's record ----
  typedef struct packed {
    slots_t branches;            // conditional branches, up to the packet's end
    slot_t last;                 // where the packet ends
    cfi_e kind;                  // of the transfer at its end; CFI_NONE: it falls through to the next block
    logic taken;
    logic mispredict;            // the direction at the end was mispredicted
    logic [1:0] btb_hit;         // ways that knew a transfer of this block, and which
    slot_t btb_slot0;
    slot_t btb_slot1;
  } packet_info_t;

  // Where a redirect's packet stood when it was predicted, and what redirects; the record is the ftq's.
  typedef struct packed {
    hist_t hist;           // before the packet
    ras_snap_t ras;        // before the packet
    block_addr_t block;
    cfi_e kind;            // of the instruction that redirects; CFI_NONE if it is not a transfer
  } redirect_past_t;
endpackage
