// The L1 data cache: its geometry, and what it takes and gives: misses and their MSHRs, lines that come and leave, and
// snoops of other harts.
package dcache_pkg;
  import config_pkg::*;
  import core_pkg::*;

  localparam int unsigned PaBits = 56;  // physical address (privileged manual, Sv39)
  localparam int unsigned DcSetBits = $clog2(DcSets);
  localparam int unsigned DcTagBits = PaBits - 6 - DcSetBits;
  localparam bit Coherent = HartsCoherent != 0;
  localparam int unsigned WbEntries = Coherent ? 16 : 4;  // lines waiting to be written back, a power of two

  typedef logic [PaBits-7:0] line_t;      // physical address of a 64-byte line, without its offset
  typedef logic [DcSetBits-1:0] dc_set_t;
  typedef logic [DcTagBits-1:0] dc_tag_t;
  typedef logic [DcWays-1:0] dc_ways_t;
  typedef logic [MshrBits-1:0] mshr_t;
  typedef logic [WbEntries-1:0] wb_vec_t;
  typedef logic [$clog2(WbEntries)-1:0] wb_idx_t;

  // Who takes a free MSHR.
  typedef enum logic [1:0] {
    RANK_ANY,
    RANK_SPARE,      // only if another stays free
    RANK_FIRST       // before the others; one port at most
  } mshr_rank_e;
  // Whose the next MSHR is: of a drain or AMO, or of the walker's read.
  typedef struct packed {
    logic writer;
    logic table_;
  } mshr_turn_t;

  // How long a line that has come stays before other harts hear that it may be taken away (dcache_hold).
  typedef enum logic [1:0] {
    HOLD_NONE,             // nobody waits for it: a prefetch, a probe
    HOLD_USE,              // until it is read, or written where it was asked for as the only copy
    HOLD_ATOMIC            // the same, but for longer: from an AMO's read to its write, or from LR to SC
  } hold_e;
  // As what a lookup that misses asks for its line. HUB_OWN hits only where this cache may write.
  typedef struct packed {
    hub_pkg::hub_request_e kind;
    hold_e hold;
  } look_ask_t;

  // A line is asked for; a dirty one leaves, from that entry of the write-back buffer.
  typedef struct packed {
    logic valid;
    mshr_t id;
    line_t line;
    hub_pkg::hub_request_e kind;
  } get_t;
  typedef struct packed {
    logic valid;
    wb_idx_t id;
    line_t line;
    logic has;             // else a snoop has taken the data since
    logic [line_pkg::LineBits-1:0] data;
  } put_t;
  typedef struct packed {
    logic take;            // the request is accepted
    hub_pkg::hub_answer_t resp;
  } get_in_t;
  typedef struct packed {
    logic take;
    wb_vec_t done;         // acknowledged; in the cycle in which it is taken at the earliest
  } put_in_t;

  // A line has come: what waits for its MSHR, or for any, tries again.
  typedef struct packed {
    logic valid;
    mshr_t id;
    line_t line;
    logic llc;       // it came from beyond the last-level cache
    logic peer;      // another hart had to give it, or its copy
    logic error;     // the bus has answered with an error: there is no line, and who has waited for it ends
    logic refused;   // a prefetch's request was refused: there is no line, and who has waited for it asks again
  } refill_t;
  // How it is here, with refill_t: of a cache that is coherent with others.
  typedef struct packed {
    logic owned;     // no other copy: it may be written
    logic dirty;
    look_ask_t asked;
    hub_pkg::tag_t transaction;
  } arrival_t;

  // All that the data cache sends out, and what comes; harts.coherent says whether put or up.
  typedef struct packed {
    get_t get;
    put_t put;
    hub_pkg::hub_up_t up;
    hub_pkg::hub_done_t done;
  } lines_out_t;
  typedef struct packed {
    get_in_t get;
    put_in_t put;
    hub_pkg::hub_down_t down;
  } lines_in_t;

  // Who wants the data cache's port for a whole set.
  typedef struct packed {
    logic valid;
    dc_set_t at;
  } set_ask_t;
  // A line in the set that the port reads.
  typedef struct packed {
    logic valid;
    logic owned;
    logic dirty;
    dc_tag_t tag;
    logic [line_pkg::LineBits-1:0] data;
  } old_line_t;
  typedef struct packed {
    logic valid;
    line_t line;
    logic [line_pkg::LineBits-1:0] data;
  } wb_push_t;
  // What a snoop finds in the write-back buffer.
  typedef struct packed {
    logic live;      // data that no snoop has taken
    logic [line_pkg::LineBits-1:0] data;
  } wb_snoop_t;

  // A snoop has come, and this L1 holds the line no more, or did not hold it: reported in the cycle after the arrays
  // have changed.
  typedef struct packed {
    logic valid;
    line_t line;
  } lost_t;

  /* verilator lint_off UNUSEDSIGNAL */  // takes its part of an address
  function automatic line_t line_of(input word_t addr);
  /* verilator lint_on UNUSEDSIGNAL */
    line_of = addr[PaBits-1:6];
  endfunction
endpackage
