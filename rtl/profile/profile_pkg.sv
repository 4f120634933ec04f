// What travels between the profiling units: a trigger and the held sample, a sample as software gets it, an access by
// csr_window.
package profile_pkg;
  import config_pkg::*;
  import records_pkg::*;

  localparam int unsigned MinPeriod = 16;  // cycles or events: the shortest distance of two triggers by hardware reload

  // A counter counts by its lower bits, and by segments above them that each know whether they are all ones: no carry
  // runs far.
  localparam int unsigned CountLowBits = 4, CountSegments = 4, CountSegmentBits = 15;  // the last one ends at bit 63
  typedef logic [CountSegments-1:0] count_full_t;

  // What a holding unit (tip_unit, tea_unit) does in a cycle. At most one of taken, further and lost, and only with a
  // trigger; ends and instant may come together: one sample makes room for the next.
  typedef struct packed {
    // what the unit shows may be complete, whether there is a trigger or not: the register that software reads may take
    // it
    logic offers;
    logic taken;     // the trigger starts a sample: of this very cycle
    logic further;   // the trigger is one more of the instruction that the held sample waits for
    logic lost;      // the trigger finds no room
    logic stalled;   // the held sample is a Drained one whose instruction has entered the ROB: it is Stalled on it now
    logic ends;      // the sample that was held incomplete is complete now
    logic instant;   // the sample that is taken now is complete at once
    logic held;      // what the unit shows is the held sample, else the one that is taken now
    logic complete;  // what the unit shows is complete: it may go on to the register that software reads
  } hold_t;

  // What a core says of a cycle that keeps vectors only while somebody reads them (profile.vector_window); of another
  // core: 0.
  typedef struct packed {
    logic oldest;    // the vector of the oldest instruction may lack events
    logic offender;  // ... that of the youngest instruction that left before this cycle
  } stale_t;

  // What other harts do to this one in a cycle, and it for them, for the counters (tables/pmu_events.tsv, 32 and more);
  // of a core without harts.coherent, and of another one: 0.
  typedef struct packed {
    logic snoop;           // one comes
    logic snoop_hit;       // the answer to one goes, and something was here
    logic line_lost;       // ... which is here no more
    logic refused;         // a prefetch
    logic waits;           // the hub has not answered a request, other than a prefetch
    logic upgrade;         // a shared line is asked for as the only copy
    logic replay_order;    // the oldest instruction begins again: for an older store
    logic replay_snoop;    // ... for a line that was lost
    logic replay_page;     // ... as its page has A or D now
  } coherence_t;

  // An access to registers beyond the CSRs (csr_window). In every cycle: rdata is 0 of the unit whose it is not.
  typedef struct packed {
    logic [11:0] select;
    logic [2:0]  number;   // 1: ireg to 6: ireg6; 0: no access
    logic        machine;  // through mireg, of M-mode's own numbers; else through sireg
    logic        write;    // wdata is written at the end of the cycle
    logic [63:0] wdata;
  } window_req_t;

  // Addresses as samples keep them: AddressBits, the uppermost repeated above. Nothing is lost of an address that the
  // core can execute.
  function automatic logic [63:0] kept_addr(input logic [63:0] addr);
    for (int b = 0; b < 64; b++) kept_addr[b] = addr[b < AddressBits ? b : AddressBits - 1];
  endfunction

  function automatic sample_t kept(input sample_t sample);
    kept = sample;
    for (int i = 0; i < CoreWidth; i++) kept.addr[i] = kept_addr(sample.addr[i]);
  endfunction

  // A complete sample: it stands for 1 + repeats + stalled triggers.
  typedef struct packed {
    logic partial;         // its vectors may lack events
    sample_t sample;
    logic [63:0] cycle;    // of the first of them, counted from reset
    logic [31:0] repeats;  // further ones in the same state
    logic [31:0] stalled;  // further ones in Stalled, after the instruction of a Drained sample had entered the ROB
  } delivery_t;
endpackage
