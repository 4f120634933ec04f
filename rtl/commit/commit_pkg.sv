// What leaves the head of the ROB: commits, exceptions on their way to it, and what it orders.
package commit_pkg;
  import config_pkg::*;
  import core_pkg::*;

  // An exception on its way to the ROB. replay: the instruction is fetched again instead, and cause says why: one of
  // these, or a page fault that is none, as hardware has set A or D.
  localparam cause_t ReplayOrder = 0;  // a load has run ahead of an older store
  localparam cause_t ReplaySnoop = 1;  // ... of an older load, and its line was lost
  typedef struct packed {
    logic valid;
    rob_idx_t rob;
    logic replay;
    cause_t cause;
    word_t tval;
  } exception_t;

  // A page fault of the oldest instruction is looked into (ad_update).
  typedef struct packed {
    logic hold;      // not to be raised yet
    logic again;     // the instruction begins again instead
    logic denied;    // it is an access fault
    logic locked;    // no interrupt now
  } fault_check_t;

  // The head of the ROB, and what leaves it in this cycle.
  typedef struct packed {
    rob_idx_t head;        // the oldest instruction
    logic any;             // something leaves
    count_t count;
    lsu_commit_t memory;   // of it, what the load/store unit must know
    ftq_idx_t ftq;         // packet of the youngest that leaves, else of the oldest instruction
    logic flush;           // the last of them flushes
  } commit_t;

  // The oldest instruction is raised: exception, interrupt or replay. The rest counts only with valid.
  typedef struct packed {
    logic valid;
    logic irq;             // an interrupt
    logic replay;          // fetched again: no trap
    cause_t cause;
    word_t tval;
    word_t epc;            // its address
  } raise_t;

  // What the head of the ROB orders: everything in flight dies, and fetch goes on at pc.
  typedef struct packed {
    logic valid;
    rob_idx_t rob;         // the head
    word_t pc;
    ftq_idx_t ftq;
    logic [5:0] offset;    // of the head's last parcel in its fetch block
    logic fence_i;
  } head_order_t;

  // What observers see of the front end, and of the mode; and whether any of them reads vectors.
  typedef struct packed {
    logic fetch_valid;
    word_t fetch_pc;
    priv_e priv;
    logic [SpaceBits-1:0] space;
    logic vectors;         // they are kept in this cycle (vector_gate)
  } seen_t;
endpackage
