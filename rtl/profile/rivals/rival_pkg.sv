// What the rival profilers' units have in common: the sample that they deliver, and rules of the bundle.
package rival_pkg;
  import config_pkg::*;
  import events_pkg::*;
  import records_pkg::*;

  typedef logic [31:0] count_t;                  // of triggers, as many bits as TIP's samples have for theirs
  typedef logic [RobIdxBits-1:0] position_t;     // in the ring that the ROB is, gone round twice: 0..2 x RobEntries - 1
  typedef logic [$clog2(CoreWidth+1)-1:0] slots_t;  // 0..CoreWidth

  // One instruction, and its triggers.
  typedef struct packed {
    logic named;                 // 0: there was no instruction yet
    logic [63:0] pc;
    psv_t psv;                   // cut to the events that the profiler knows
    logic [1:0] priv;
    logic [SpaceBits-1:0] space;
    count_t count;
  } rival_sample_t;

  /* verilator lint_off UNUSEDSIGNAL */  // one record for all observers; each of these reads a part
  // At the end of this cycle everything leaves the ROB, and what dispatches now never gets in.
  function automatic logic rival_clears(input commit_bundle_t bundle);
    rival_clears = bundle.exception || (bundle.commit & bundle.flush) != '0;
  endfunction

  function automatic slots_t rival_commits(input commit_bundle_t bundle);
    rival_commits = '0;
    if (bundle.commit != '0) for (int i = 0; i < CoreWidth; i++)
      rival_commits = rival_commits + slots_t'(bundle.commit[i]);
  endfunction
  /* verilator lint_on UNUSEDSIGNAL */

  // The lane that is `age` instructions younger than the oldest.
  function automatic logic [LaneBits-1:0] rival_lane(input logic [LaneBits-1:0] oldest, input slots_t age);
    logic [LaneBits+1:0] lane;
    lane = (LaneBits + 2)'(oldest) + (LaneBits + 2)'(age);
    rival_lane = LaneBits'(32'(lane) >= CoreWidth ? lane - (LaneBits + 2)'(CoreWidth) : lane);
  endfunction

  // ---- positions ----
  function automatic position_t rival_position(input logic [RobIdxBits-1:0] index);
    rival_position = index[RobIdxBits-1] ? position_t'(RobEntries) + position_t'(index[RobIdxBits-2:0]) : index;
  endfunction

  function automatic position_t rival_behind(input position_t position, input slots_t entries);
    logic [RobIdxBits:0] sum;
    sum = (RobIdxBits + 1)'(position) + (RobIdxBits + 1)'(entries);
    rival_behind = position_t'(32'(sum) >= 2 * RobEntries ? sum - (RobIdxBits + 1)'(2 * RobEntries) : sum);
  endfunction

  // Entries from one up to the other.
  function automatic position_t rival_distance(input position_t from, input position_t to);
    rival_distance = to >= from ? to - from : position_t'((RobIdxBits + 1)'(to) + (RobIdxBits + 1)'(2 * RobEntries) -
                                                          (RobIdxBits + 1)'(from));
  endfunction
endpackage
