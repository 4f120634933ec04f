// Requests of a tile to the memory system and their answers: 64-byte lines for its two L1 caches, and device accesses.
// One port each way holds them all, so that a new field changes no module between the two.
package line_pkg;
  import core_pkg::*;

  localparam int unsigned LineBytes = 64;
  localparam int unsigned LineBits = 512;

  typedef struct packed {
    logic valid;
    logic write;           // write-back of a line: no response
    logic [4:0] id;        // MSHR; unused for writes
    word_t addr;           // line-aligned
    logic [LineBits-1:0] data;
  } line_req_t;            // accepted in a cycle with ready; accesses take effect in order of acceptance

  typedef struct packed {
    logic valid;           // always accepted
    logic [4:0] id;
    logic llc_miss;        // the LLC missed too
    logic error;           // no line: what waits for it has an access fault
    logic [LineBits-1:0] data;
  } line_resp_t;

  typedef struct packed {
    logic valid;
    logic write;
    logic [1:0] size;      // log2 of bytes
    word_t addr;
    word_t data;           // low bytes
  } device_req_t;          // one at a time; accepted in a cycle with ready

  typedef struct packed {
    logic valid;           // also for writes
    logic error;           // not done: a load has an access fault, a store is lost
    word_t data;           // low bytes, zero-extended
  } device_resp_t;

  typedef struct packed {
    logic ready;
    line_resp_t resp;
  } line_in_t;
  typedef struct packed {
    logic ready;
    device_resp_t resp;
  } device_in_t;

  // What the tile asks for, and what comes back.
  typedef struct packed {
    line_req_t insn;       // L1 instruction cache: reads only
    line_req_t data;       // L1 data cache
    device_req_t device;
  } memory_out_t;
  typedef struct packed {
    line_in_t insn;
    line_in_t data;
    device_in_t device;
  } memory_in_t;
endpackage
