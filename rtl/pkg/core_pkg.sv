// Types of signals between the units of the core.
//
// Indices of the circular queues (ROB, load queue, store queue) carry a wrap bit on top, so that two
// live indices compare by age without the head: see the *_older functions.
package core_pkg;
  import config_pkg::*;
  import instructions_pkg::*;
  import events_pkg::*;

  typedef logic [63:0] word_t;
  typedef logic [PregBits-1:0] preg_t;       // physical register; 0 is x0, always ready, always zero
  typedef logic [FtqBits-1:0] ftq_idx_t;
  typedef logic [BranchBits-1:0] snapshot_t; // rename snapshot of a branch in flight

  typedef logic [CoreWidth-1:0] lanes_t;     // a bit for each lane
  typedef logic [$clog2(CoreWidth+1)-1:0] count_t;  // 0..CoreWidth

  typedef struct packed {
    logic wrap;
    logic [RobIdxBits-2:0] idx;  // 0..RobEntries-1
  } rob_idx_t;
  typedef struct packed {
    logic wrap;
    logic [LqBits-2:0] idx;  // 0..LqEntries-1
  } lq_idx_t;
  typedef struct packed {
    logic wrap;
    logic [SqBits-2:0] idx;  // 0..SqEntries-1
  } sq_idx_t;

  // a is strictly older than b. Both must be live (at most RobEntries apart).
  function automatic logic rob_older(input rob_idx_t a, input rob_idx_t b);
    rob_older = (a.wrap == b.wrap) ? a.idx < b.idx : a.idx > b.idx;
  endfunction
  function automatic logic sq_older(input sq_idx_t a, input sq_idx_t b);
    sq_older = (a.wrap == b.wrap) ? a.idx < b.idx : a.idx > b.idx;
  endfunction

  // An instruction by its place in the ROB: one that completes, asks for something, or is to blame.
  typedef struct packed {
    logic valid;
    rob_idx_t rob;
  } rob_ref_t;

  // ---- exceptions (mcause codes; privileged manual, table of mcause values) ----
  typedef logic [5:0] cause_t;
  localparam cause_t CauseInsnAccess = 1;
  localparam cause_t CauseIllegal = 2;
  localparam cause_t CauseBreakpoint = 3;
  localparam cause_t CauseLoadMisaligned = 4;
  localparam cause_t CauseLoadAccess = 5;
  localparam cause_t CauseStoreMisaligned = 6;
  localparam cause_t CauseStoreAccess = 7;
  localparam cause_t CauseEcallU = 8;
  localparam cause_t CauseEcallS = 9;
  localparam cause_t CauseEcallM = 11;
  localparam cause_t CauseInsnPage = 12;
  localparam cause_t CauseLoadPage = 13;
  localparam cause_t CauseStorePage = 15;

  typedef enum logic [1:0] { PRIV_U = 0, PRIV_S = 1, PRIV_M = 3 } priv_e;

  // ---- fetch -> decode ----
  typedef struct packed {
    word_t pc;
    logic [31:0] insn;     // as fetched; a 16-bit form is zero-extended
    logic rvc;             // 16-bit form
    ftq_idx_t ftq;         // packet it came in
    logic pred_taken;      // predicted to leave the packet here (branch taken, jal, jalr)
    // cannot be fetched: of insn bit 0 says that only its second half is at fault, bit 1: page fault, else access fault
    logic fault;
    logic dr_l1;           // first of a packet whose fetch missed the L1 instruction cache
    logic dr_tlb;          // ... the L1 instruction TLB
  } fetch_insn_t;

  // Kill order. Registered: valid in the cycle after its cause, seen by all units in that cycle.
  // !all: everything strictly younger than rob dies (a misprediction). all: everything in flight dies.
  typedef struct packed {
    logic valid;
    logic all;
    rob_idx_t rob;
    snapshot_t snapshot;   // !all: rename snapshot to restore
    lq_idx_t lq_tail;      // !all: queue tails just after the branch
    sq_idx_t sq_tail;
  } squash_t;

  // Redirect of the front end; registered like squash_t and valid in the same cycle.
  typedef struct packed {
    logic valid;
    word_t pc;             // fetch from here
    ftq_idx_t ftq;         // packet of the instruction that redirects
    logic branch;          // a resolved branch or jump: taken and offset correct that packet's record; 0: flush or trap
    logic taken;
    // byte offset of the LAST parcel of what redirects in the aligned fetch block, so that it names the packet's end
    logic [5:0] offset;
    logic icache_invalidate; // fence.i
  } redirect_t;

  // ---- memory instructions: issue -> lsu ----
  // A store may come in two parts, its address first.
  typedef enum logic [1:0] { PART_ALL, PART_ADDR, PART_DATA } mem_part_e;
  typedef struct packed {
    logic valid;
    mem_part_e part;
    op_e op;
    unit_e unit;           // UNIT_LOAD, UNIT_STORE, UNIT_AMO
    rob_idx_t rob;
    lq_idx_t lq;           // UNIT_LOAD
    // UNIT_STORE: its entry; UNIT_LOAD: the entry the next younger store takes (older stores are < sq)
    sq_idx_t sq;
    preg_t pd;
    logic pd_valid;        // writes pd
    word_t base;           // rs1
    word_t data;           // rs2: store data, AMO operand
    logic [11:0] imm;      // signed byte offset
  } mem_uop_t;

  // Completion of a memory instruction: lsu -> register file, issue queues, ROB.
  typedef struct packed {
    logic valid;
    rob_idx_t rob;
    logic pd_valid;        // data goes to pd
    preg_t pd;
    word_t data;
    logic exception;       // completes with this exception instead; only with valid, and known sooner
    cause_t cause;
    word_t tval;
  } mem_done_t;

  // What a memory instruction meets, in the cycle in which it is found: lsu -> ROB. Several may speak in a cycle, never
  // two of one instruction.
  localparam int unsigned MemEvents = 2 * MemPorts + 1;
  typedef struct packed {
    logic valid;
    rob_idx_t rob;
    psv_t psv;             // bits to OR into the instruction's vector
  } mem_event_t;

  // ---- load/store unit <-> dispatch, commit, fences; apart by direction, and by time where one follows from the other
  // ---- A bit for each lane: it takes an entry of that queue, or finds none.
  typedef struct packed {
    lanes_t loads;
    lanes_t stores;
  } queue_lanes_t;
  // Where a lane goes; for one that takes no entry there, the queue's tail.
  typedef struct packed {
    lq_idx_t lq;
    sq_idx_t sq;
  } queue_place_t;
  typedef struct packed {
    queue_lanes_t full;
    queue_place_t [CoreWidth-1:0] place;
  } queue_room_t;
  typedef struct packed {
    lanes_t fire;
    rob_idx_t [CoreWidth-1:0] rob;
    logic vectors;         // what those meet that are there is kept in this cycle
  } queue_enter_t;

  // A load that has run ahead of an older store, or else of an older load: another hart may have written since.
  typedef struct packed {
    logic valid;
    rob_idx_t rob;
    logic snooped;         // the latter
  } violation_t;
  typedef struct packed {
    violation_t violation; // this load has run ahead
    rob_ref_t nonspec;     // this one would act for good
  } lsu_asks_t;
  typedef struct packed {
    count_t loads;         // number of the oldest that leave
    count_t stores;
    logic nonspec;         // the one that has asked may act
  } lsu_commit_t;

  typedef struct packed {
    logic sq_empty;        // no store at all
    logic stores_gone;     // no committed store is left
    logic clean;           // the data cache has been cleaned, as was ordered
  } settled_t;
  // A committed store that was not done, for the bus has answered with an error: too late for an exception. For one
  // cycle.
  typedef struct packed {
    logic valid;
    word_t addr;           // physical
  } lost_store_t;
  // For observers: the access of an instruction that leaves the core in this cycle, if it reads or writes.
  typedef struct packed {
    logic reads;
    logic writes;
    word_t addr;           // physical
    word_t data;           // that it writes: low bytes
    logic [1:0] size;      // log2 of bytes
  } access_t;
  typedef struct packed {
    access_t [CoreWidth-1:0] loads;   // of those that leave, in age order
    access_t [CoreWidth-1:0] stores;
    access_t amo;                     // of the last AMO, LR or SC
  } lsu_left_t;
  // For observers: a load, store, AMO, LR or SC has its address.
  typedef struct packed {
    logic valid;
    rob_idx_t rob;
    word_t addr;           // virtual
  } addressed_t;
  typedef struct packed {
    lsu_asks_t asks;
    settled_t settled;
    lost_store_t lost;
    lsu_left_t left;
    addressed_t [MemPorts-1:0] addressed;
    logic upgrade;         // a shared line is asked for as the only copy
  } lsu_report_t;

  // What CSRs show of the machine: interrupt lines and time, from the devices, registered; the hart's number, tied.
  typedef struct packed {
    word_t hart_id;
    logic msip;
    logic mtip;
    logic meip;
    logic seip;            // PLIC context of S-mode
    word_t mtime;
  } machine_t;

  // ---- memory attributes (privileged manual, "Physical Memory Attributes") ----
  typedef struct packed {
    logic memory;          // cached, read and written by lines
    logic device;          // one access at a time, in order; no AMO, LR or SC
    logic r, w, x;         // what is allowed there
  } attributes_t;

  // Addresses that are equal to base where mask is 1. Regions of one tile do not overlap; an address in none has no
  // attributes, and an access to it is an access fault.
  typedef struct packed {
    word_t base, mask;
    attributes_t attributes;
  } region_t;

  // ---- CSRs held outside csr_file (pmu, tip_csrs, csr_window, ctr): one access in a cycle ----
  typedef struct packed {
    logic [11:0] addr;     // rdata answers combinationally, whether valid or not
    logic write;           // wdata is written at the end of the cycle
    word_t wdata;          // whole new value, set and clear already applied
  } csr_req_t;
endpackage
