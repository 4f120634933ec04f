// Entries of the ROB and its window, and places in its ring.
package rob_pkg;
  import config_pkg::*;
  import ring_pkg::*;
  import events_pkg::*;
  import core_pkg::*;
  import decode_pkg::*;

  // What a ROB entry keeps until it commits.
  typedef struct packed {
    areg_t rd;
    preg_t pd;
    preg_t old_pd;         // what rd was mapped to before: free once this commits
    logic pd_valid;
    logic is_load;
    logic is_store;
    logic is_fp;           // floating-point arithmetic: raises flags
    logic flush;
    logic rvc;
    ftq_idx_t ftq;
  } rob_info_t;

  // What a lane brings into the ROB; pc and bits travel beside it.
  typedef struct packed {
    rob_info_t info;
    psv_t psv;
  } rob_entry_t;

  // One of the oldest in the ROB, as its bank shows it; the rest counts only with valid.
  typedef struct packed {
    logic valid;
    logic done;
    logic mispredict;      // with done
    rob_info_t info;
    psv_t psv;             // what it has met so far
    logic [31:0] insn;
    word_t pc;
  } window_t;

  // Room in the ROB.
  typedef struct packed {
    count_t free;          // entries, CoreWidth where there are more
    logic empty;           // nothing is in flight
    rob_idx_t [CoreWidth-1:0] place;  // where each lane goes
  } rob_room_t;

  function automatic rob_idx_t rob_add(input rob_idx_t a, input int unsigned n);
    rob_add.wrap = a.wrap ^ ring_wraps(32'(a.idx), n, RobEntries);
    rob_add.idx = (RobIdxBits - 1)'(ring_sum(32'(a.idx), n, RobEntries));
  endfunction

  /* verilator lint_off UNUSEDSIGNAL */  // one struct for all units
  function automatic logic rob_killed(input squash_t squash, input rob_idx_t rob);
  /* verilator lint_on UNUSEDSIGNAL */
    rob_killed = squash.valid && (squash.all || rob_older(squash.rob, rob));
  endfunction
endpackage
