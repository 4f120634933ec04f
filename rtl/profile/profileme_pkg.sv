// Between the parts of ProfileMe: what selection picks, how software has set it.
package profileme_pkg;
  import config_pkg::*;
  import core_pkg::*;
  import fetch_pkg::*;
  import life_pkg::*;

  localparam int unsigned Tags = ProfileTags == 0 ? 1 : ProfileTags;
  localparam int unsigned AheadBits = $clog2(FetchBuffer + CoreWidth + 1);
  typedef logic [AheadBits-1:0] ahead_t;             // instructions between fetch and map that are older
  typedef logic [11:0] latency_t;                    // cycles, saturating

  function automatic latency_t longer(input latency_t latency);
    longer = &latency ? latency : latency + latency_t'(1);
  endfunction

  // How an instruction ends (tables/instruction_sample.tsv, outcome).
  typedef enum logic [2:0] { RETIRED, MISPREDICTED, REORDERED, EXCEPTED, INTERRUPTED, FLUSHED, PAGED } outcome_e;

  // Why the head is raised.
  /* verilator lint_off UNUSEDSIGNAL */  // of what leaves, that alone
  function automatic outcome_e raised_by(input leaving_t leaving);
  /* verilator lint_on UNUSEDSIGNAL */
    if (leaving.irq) raised_by = INTERRUPTED;
    else if (!leaving.replay) raised_by = EXCEPTED;
    else raised_by = leaving.reorders ? REORDERED : PAGED;
  endfunction

  // mpdisctl (tables/csrs.tsv).
  typedef struct packed {
    logic [1:0] mode;        // 0 off, 1 counts instructions, 2 counts fetch opportunities
    logic pairs;
    logic [4:0] jitter;      // low bits of the interval that are drawn
    logic [3:0] window;      // the second of a pair is 1 to 2^window after the first
    logic [4:0] threshold;   // records that wait before software hears of them; 0 as 1
    logic m, s, u;           // inhibited there
  } settings_t;

  // Bits that settings draw at random: of a major interval, of a minor one.
  function automatic logic [31:0] jitter_mask(input logic [4:0] jitter);
    jitter_mask = ~(32'hffff_ffff << jitter);
  endfunction
  function automatic logic [9:0] window_mask(input logic [3:0] window);
    window_mask = ~(10'h3ff << window);
  endfunction

  // A selected instruction, or a fetch opportunity without one, in the cycle after its packet's.
  typedef struct packed {
    logic valid;
    logic [1:0] opportunity; // 0 an instruction; 1 beside the packet's path, 2 nothing fetched
    logic second;            // of a pair
    word_t pc;
    word_t cycle;            // of the packet
    ahead_t ahead;           // at the beginning of this cycle
    cfi_e kind;
    directions_t history;
    priv_e priv;
    logic [SpaceBits-1:0] space;
  } pick_t;
endpackage
