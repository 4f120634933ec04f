// Physical registers: those there are, those that are free, and what a commit says of its destination.
package rename_pkg;
  import config_pkg::*;
  import core_pkg::*;
  import port_pkg::*;
  import decode_pkg::*;

  // One space of physical registers: integer ones first, then floating-point ones.
  localparam int unsigned Pregs = IntPregs + (HasFp ? FpPregs : 0);

  // Position in a ring of free physical registers (there is one for each kind).
  localparam int unsigned IntFree = IntPregs - 32;
  localparam int unsigned FpFree = HasFp ? FpPregs - 32 : 1;
  localparam int unsigned FreeEntries = IntFree > FpFree ? IntFree : FpFree;
  localparam int unsigned FreeBits = FreeEntries > 1 ? $clog2(FreeEntries) : 1;
  typedef struct packed {
    logic wrap;
    logic [FreeBits-1:0] idx;
  } free_ptr_t;

  // Which sources of each lane have their value.
  typedef struct packed {
    lanes_t first;
    lanes_t second;
    lanes_t third;
  } ready_t;

  // What rename and the flags need to know of an instruction that commits.
  typedef struct packed {
    logic pd_valid;        // has a destination
    areg_t rd;
    preg_t pd;
    preg_t old_pd;
    logic is_fp;
    logic is_load;
    logic is_store;
  } retire_t;
endpackage
