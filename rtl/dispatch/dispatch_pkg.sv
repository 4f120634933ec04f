// Dispatch: what each lane needs, where it goes, and which lanes leave.
package dispatch_pkg;
  import config_pkg::*;
  import core_pkg::*;

  // Which lanes want an entry of a queue, or find none: one bit a lane for each queue.
  typedef struct packed {
    lanes_t ints;          // issue queues
    lanes_t mems;
    lanes_t fps;
    lanes_t loads;         // load queue
    lanes_t stores;        // store queue
  } room_t;

  // A lane's entries in the ROB and in the load and store queues; the queue's tail for a lane without an entry.
  typedef struct packed {
    rob_idx_t rob;
    lq_idx_t lq;
    sq_idx_t sq;
  } place_t;

  // What leaves the decode registers: the first lanes, in program order.
  typedef struct packed {
    lanes_t fire;
    count_t count;
  } dispatch_t;
endpackage
