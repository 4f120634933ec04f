// What happens to instructions on their way, for units that follow single ones (rtl/profile/profileme.sv). An
// instruction is named by its place: before map by how many are ahead of it, from map on by its place in the ROB. So no
// stage carries a tag.
package life_pkg;
  import config_pkg::*;
  import events_pkg::*;
  import core_pkg::*;
  import fetch_pkg::*;
  import port_pkg::*;
  import commit_pkg::*;

  localparam int unsigned Issues = IntPorts + MemPorts + FpArrays;  // instructions that read their registers in a cycle

  // A packet that goes into the fetch buffer: its instructions by the slot in which each ends, in program order.
  typedef struct packed {
    logic valid;
    block_addr_t block;
    slots_t slots;
    slots_t rvc;
    slots_t branches;                      // conditional ones
    cfi_e [FetchWidth-1:0] kind;
    // directions of the conditional branches before the packet, the youngest in bit 0
    logic [HistoryBits-1:0] history;
  } packet_t;

  typedef enum logic [2:0] { TYPE_OTHER, TYPE_LOAD, TYPE_STORE, TYPE_BOTH, TYPE_TRANSFER } type_e;  // as in Smpdis

  // An instruction in a decode register. It counts where the lane fires.
  typedef struct packed {
    rob_idx_t rob;
    type_e kind;
    logic returns;                         // from a trap
    logic queued;                          // it goes through an issue queue
    logic ready1;                          // its sources as far as it waits for them to issue
    logic ready2;
    logic ready3;
    preg_t ps1;
    preg_t ps2;
    preg_t ps3;
    psv_t psv;
  } life_lane_t;

  // What the oldest instruction in the decode registers that does not leave did not find; 0 where nothing could leave.
  typedef struct packed {
    logic serial;                          // waits for an empty ROB, or for a serial instruction
    logic snapshots;
    logic registers;
    logic stores;
    logic loads;
    logic fps;
    logic mems;
    logic ints;
    logic rob;
  } conflict_t;

  // What leaves, and what dies.
  typedef struct packed {
    rob_idx_t head;
    logic head_valid;
    count_t commits;                       // that many from the head on retire
    logic flush;                           // ... and the last of them flushes
    logic raises;                          // the head traps or begins again
    logic irq;
    logic replay;
    logic reorders;                        // replay for memory ordering
    cause_t cause;
    // in this cycle everything dies that is younger than `youngest`, and all that is not mapped
    logic squash;
    logic all;                             // everything
    rob_idx_t youngest;
  } leaving_t;
endpackage
