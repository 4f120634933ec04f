// Performance-monitoring unit: the programmable counters, their overflow interrupt, and the sampling trigger.
//
// Counters 3..3+Counters-1 exist; the others read zero (WARL). Each counts one event (pmu_events) in the privilege
// modes that its mhpmevent does not inhibit (Sscofpmf: MINH, SINH, UINH), unless mcountinhibit stops it. An overflow
// sets OF, and raises the interrupt if OF was clear; the interrupt of counter SampleCounter waits for the sample
// (sample_delivery). That counter has a hardware reload: when it overflows and tipoff_period is not 0, it goes on from
// -(period + jitter), so that sampling needs no software in the loop (sample_reload).
// Counting takes two cycles: what a cycle counts is chosen in it (hits_q), and added in the next one.
// Latency: trigger_o, announce_o and lcofi_o follow the overflow's cycle by one; a read shows what the cycles up to the
// one before the last have counted. A write takes effect at the end of its cycle: what that cycle counts goes by the
// old event, and is lost where the counter itself is written; an overflow of that cycle comes after a write to
// mhpmevent, and sets OF. The masks below have a bit for each counter, and guards surround loops over counters, of
// all of them and of each Group: so a cycle costs a simulator only what really counts.
module pmu
  import config_pkg::*;
  import events_pkg::*;
  import records_pkg::*;
  import core_pkg::*;
  import csrs_pkg::*;
  import profile_pkg::*;
(
  input  logic              clk_i,
  input  logic              rst_ni,
  input  commit_bundle_t    bundle_i,
  input  coherence_t        coherence_i,
  input  state_e            state_i,     // of this cycle
  input  csr_req_t          req_i,
  output word_t             rdata_o,
  input  word_t             period_i,
  input  logic              golden_i,      // kind of the jitter
  input  logic [5:0]        jitter_bits_i,
  input  logic              draws_i,       // there are bits, and they are random
  input  logic              changed_i,     // period and jitter are written at the end of this cycle
  input  logic              seed_valid_i,
  input  logic [31:0]       seed_i,
  output logic              lcofi_o,     // pulse: a counter that does not sample has overflowed
  // vectors are read, or may be within 2^VectorWindow counts: by a counter, or by the sample of counter SampleCounter
  output logic              reads_o,
  output logic              near_o,      // this cycle may be one in which counter SampleCounter overflows
  output logic              trigger_o,   // it has overflowed in the cycle before
  output logic              announce_o   // ... and is to interrupt when its sample is complete
);
  localparam int unsigned Counters = HpmCounters;
  typedef logic [Counters-1:0] mask_t;
  localparam int unsigned Group = 8;
  localparam int unsigned Padded = (Counters + Group - 1) / Group * Group;
  localparam int unsigned First = 3;
  localparam int unsigned Sampling = SampleCounter - First;
  localparam mask_t Samples = mask_t'(1) << Sampling;
  // in mcountinhibit; bits 0 and 2, of mcycle and minstret, are the core's
  localparam logic [31:0] Present = ((32'd1 << Counters) - 32'd1) << First;
  localparam int unsigned Of = 63, Minh = 62, Sinh = 61, Uinh = 60;          // in mhpmevent

  localparam int unsigned LowBits = CountLowBits, Segments = CountSegments, SegmentBits = CountSegmentBits;
  typedef count_full_t segments_t;
  typedef logic [Segments-1:0][SegmentBits-1:0] upper_t;
  typedef struct packed {
    upper_t    upper;
    segments_t full;  // the segments that are all ones
  } segmented_t;

  logic [Counters-1:0][63:0] counter_q;
  logic [Counters-1:0][Segments-1:0] full_q;  // of its upper bits
  logic [Counters-1:0][7:0] event_q;
  mask_t of_q, minh_q, sinh_q, uinh_q;
  mask_t active_q;                 // has an event and is not stopped by mcountinhibit
  logic [PmuEvents-1:0] wanted_q;  // events that active counters count; all of them in the cycle after a change
  logic [31:0] inhibit_q;

  // ---- what happens in this cycle, by lane ----
  localparam int unsigned Parts = (CoreWidth + 3) / 3;  // of three lanes each
  typedef logic [CoreWidth:0] hits_t;
  typedef logic [Parts-1:0][1:0] parts_t;
  hits_t hits [PmuEvents];
  parts_t [Counters-1:0] parts_q;  // what each counter counts, of the cycle before: the sum of the parts
  pmu_events u_pmu_events (
    .clk_i(clk_i), .rst_ni(rst_ni),
    .bundle_i(bundle_i), .coherence_i(coherence_i), .state_i(state_i), .wanted_i(wanted_q), .hits_o(hits)
  );

  // ... and where triggers match; without profile.triggers nothing is left of it.
  logic [1:0][CoreWidth-1:0] trigger_hits;
  word_t trigger_rdata;
  sdtrig u_sdtrig (
    .clk_i(clk_i), .rst_ni(rst_ni), .bundle_i(bundle_i), .req_i(req_i), .rdata_o(trigger_rdata), .hits_o(trigger_hits)
  );

  function automatic hits_t hits_of(input logic [PmuEventBits-1:0] number);
    hits_of = hits[number];
    if (Triggers != 0) begin
      if (number == PmuEventBits'(PmuTrigger0)) hits_of = {1'b0, trigger_hits[0]};
      if (number == PmuEventBits'(PmuTrigger1)) hits_of = {1'b0, trigger_hits[1]};
    end
  endfunction

  mask_t filtered, run, counts, overflow;
  always_comb
    case (bundle_i.priv)
      PRIV_M: filtered = minh_q;
      PRIV_S: filtered = sinh_q;
      default: filtered = uinh_q;
    endcase
  assign run = active_q & ~filtered;

  // ---- CSR writes: bits 4:0 of the addresses are the counter's number ----
  mask_t write_counter, write_event;
  logic write_inhibit;
  assign write_inhibit = req_i.write && req_i.addr == CsrMcountinhibit;
  always_comb begin
    write_counter = '0;
    write_event = '0;
    if (req_i.write) begin
      for (int i = 0; i < Counters; i++) begin
        write_counter[i] = req_i.addr == CsrMhpmcounter3 + 12'(i);
        write_event[i] = req_i.addr == CsrMhpmevent3 + 12'(i);
      end
    end
  end

  // Whether any counter from `first` on is in the mask, of one group.
  function automatic logic any_in_group(input mask_t mask, input int unsigned first);
    any_in_group = Group'(Padded'(mask) >> first) != '0;
  endfunction

  function automatic parts_t in_parts(input hits_t lanes);
    logic [3*Parts-1:0] padded;
    padded = (3*Parts)'(lanes);
    for (int p = 0; p < Parts; p++) in_parts[p] = 2'(padded[3*p]) + 2'(padded[3*p+1]) + 2'(padded[3*p+2]);
  endfunction

  always_ff @(posedge clk_i) begin
    if (!rst_ni) begin
      parts_q <= '0;
    end else if (run != '0 || counts != '0) begin
      for (int i = 0; i < Counters; i++) begin
        parts_q[i] <= '0;
        if (run[i] && !write_counter[i]) parts_q[i] <= in_parts(hits_of(event_q[i][PmuEventBits-1:0]));
      end
    end
  end

  // ---- ... and in the next one, added up ----
  for (genvar i = 0; i < Counters; i++) begin : gen_counts
    assign counts[i] = parts_q[i] != '0;
  end

  function automatic logic [LowBits-1:0] amount(input parts_t parts);
    amount = '0;
    for (int p = 0; p < Parts; p++) amount = amount + LowBits'(parts[p]);
  endfunction

  // The lower four bits of counter i and what it counts. The upper ones go on by one at most.
  function automatic logic [LowBits:0] low_sum(input int i);
    low_sum = 5'(counter_q[i][LowBits-1:0]) + 5'(amount(parts_q[i]));
  endfunction

  function automatic segments_t full_segments(input upper_t upper);
    for (int s = 0; s < Segments; s++) full_segments[s] = &upper[s];
  endfunction

  // Upper bits with a carry or without: a segment goes on where all below it are full.
  function automatic segmented_t carried(input segmented_t from, input logic carry);
    logic into;
    carried = from;
    for (int s = 0; s < Segments; s++) begin
      into = carry;
      for (int below = 0; below < s; below++) into &= from.full[below];
      if (into) begin
        carried.upper[s] = from.upper[s] + SegmentBits'(1);
        carried.full[s] = from.upper[s] == ~SegmentBits'(1);
      end
    end
  endfunction

  // An overflow needs all upper bits ones.
  always_comb begin
    overflow = '0;
    if (counts != '0) begin
      for (int g = 0; g < Counters; g += Group) begin
        if (any_in_group(counts, g)) begin
          for (int i = g; i < g + Group && i < Counters; i++) begin
            if (counts[i]) begin
              if (&full_q[i]) overflow[i] = low_sum(i) >= 5'd16;
            end
          end
        end
      end
    end
  end

  // ---- hardware reload: minus a distance, plus what is left of the amount. ----
  logic reloads;  // there is a period
  word_t below;
  segments_t below_full;
  sample_reload u_sample_reload (
    .clk_i(clk_i), .rst_ni(rst_ni), .period_i(period_i), .golden_i(golden_i), .jitter_bits_i(jitter_bits_i),
    .draws_i(draws_i), .changed_i(changed_i), .seed_valid_i(seed_valid_i), .seed_i(seed_i),
    .reload_i(overflow[Sampling] && reloads), .active_o(reloads), .below_o(below), .below_full_o(below_full)
  );

  // Its counter is about to overflow: what it goes on from then takes the place of its upper bits ahead of time.
  logic soon;
  segmented_t sampling_from;
  logic [LowBits+1:0] sampling_low;  // and 16, which the overflow takes
  assign soon = &full_q[Sampling] && reloads;
  always_comb begin
    sampling_from = '{upper: counter_q[Sampling][63:LowBits], full: full_q[Sampling]};
    sampling_low = 6'(low_sum(Sampling));
    if (soon) begin
      sampling_from = '{upper: below[63:LowBits], full: below_full};
      sampling_low = 6'(below[LowBits-1:0]) + 6'(counter_q[Sampling][LowBits-1:0]) + 6'(amount(parts_q[Sampling])) +
                     6'd1;
    end
  end

  // ---- counters ----
  mask_t change;
  assign change = counts | write_counter;
  always_ff @(posedge clk_i) begin
    if (!rst_ni) begin
      counter_q <= '0;
      full_q <= '0;
    end else if (change != '0) begin
      for (int g = 0; g < Counters; g += Group) begin
        if (any_in_group(change, g)) begin
          for (int i = g; i < g + Group && i < Counters; i++) begin
            if (write_counter[i]) begin
              counter_q[i] <= req_i.wdata;
              full_q[i] <= full_segments(req_i.wdata[63:LowBits]);
            end else if (counts[i]) begin
              counter_q[i][LowBits-1:0] <= LowBits'(low_sum(i));
              if (i == Sampling && soon && overflow[i]) counter_q[i][LowBits-1:0] <= sampling_low[LowBits-1:0];
              if (low_sum(i) >= 5'd16) begin
                {counter_q[i][63:LowBits], full_q[i]} <= i == Sampling
                                                         ? carried(sampling_from, !soon || sampling_low[LowBits+1])
                    : carried('{upper: counter_q[i][63:LowBits], full: full_q[i]}, 1'b1);
              end
            end
          end
        end
      end
    end
  end

  // ---- selection; what follows from it is kept beside it ----
  function automatic logic known(input logic [7:0] number);
    known = number != '0 && number < 8'(PmuEvents);  // those without a row have no amount
  endfunction

  logic [31:0] inhibit_d;
  mask_t active_d;
  logic changed_q;  // they did in the cycle before
  logic select;  // events or mcountinhibit change
  assign select = write_event != '0 || write_inhibit;
  logic [PmuEvents-1:0] wanted;
  always_comb begin
    wanted = '0;
    if (changed_q) for (int i = 0; i < Counters; i++) if (active_q[i]) wanted[event_q[i][PmuEventBits-1:0]] = 1'b1;
  end
  always_comb begin
    inhibit_d = '0;
    active_d = '0;
    if (select) begin
      inhibit_d = write_inhibit ? req_i.wdata[31:0] & Present : inhibit_q;
      for (int i = 0; i < Counters; i++) begin
        // The address comes last: it selects among the values above.
        active_d[i] = write_event[i] ? known(req_i.wdata[7:0]) && !inhibit_q[First+i] :
                      write_inhibit ? known(event_q[i]) && !req_i.wdata[First+i] : active_q[i];
      end
    end
  end

  always_ff @(posedge clk_i) begin
    if (!rst_ni) begin
      event_q <= '0;
      inhibit_q <= '0;
      active_q <= '0;
      wanted_q <= '0;
      changed_q <= 1'b0;
      of_q <= '0;
      minh_q <= '0;
      sinh_q <= '0;
      uinh_q <= '0;
    end else begin
      changed_q <= select;
      if (select) wanted_q <= '1;
      else if (changed_q) wanted_q <= wanted;
      if (select) begin
        for (int i = 0; i < Counters; i++) if (write_event[i]) event_q[i] <= req_i.wdata[7:0];
        inhibit_q <= inhibit_d;
        active_q <= active_d;
        minh_q <= (minh_q & ~write_event) | (req_i.wdata[Minh] ? write_event : '0);
        sinh_q <= (sinh_q & ~write_event) | (req_i.wdata[Sinh] ? write_event : '0);
        uinh_q <= (uinh_q & ~write_event) | (req_i.wdata[Uinh] ? write_event : '0);
      end
      of_q <= ((of_q | overflow) & ~write_event) | (req_i.wdata[Of] ? write_event : '0);
    end
  end

  // Two cycles ahead of an overflow the counter is within the last 2^NearBits values, or is being written.
  localparam int unsigned NearBits = 6;
  logic near_q;
  always_ff @(posedge clk_i)
    near_q <= (&full_q[Sampling][Segments-1:1] && &counter_q[Sampling][LowBits+SegmentBits-1:NearBits]) ||
              write_counter[Sampling];
  assign lcofi_o = (overflow & ~of_q & ~Samples) != '0;
  assign near_o = near_q;
  assign trigger_o = overflow[Sampling];
  assign announce_o = !of_q[Sampling] || reloads;  // with the reload every sample interrupts, OF clear or not

  // ---- who reads vectors, for a core that keeps them only then ----
  if (VectorWindow != 0) begin : gen_window
    logic reads_q;
    always_ff @(posedge clk_i)
      reads_q <= rst_ni && ((&full_q[Sampling][Segments-1:1] &&
                             &counter_q[Sampling][LowBits+SegmentBits-1:VectorWindow]) ||
                            wanted_q[PmuTea+:PsvBits] != '0);
    assign reads_o = reads_q;
  end else begin : gen_always
    assign reads_o = 1'b1;
  end

  // ---- CSR reads ----
  function automatic word_t read(input logic [11:0] addr);
    read = '0;
    for (int i = 0; i < Counters; i++) begin
      if (addr == CsrMhpmcounter3 + 12'(i) || addr == CsrHpmcounter3 + 12'(i)) read = counter_q[i];
      if (addr == CsrMhpmevent3 + 12'(i)) read = {of_q[i], minh_q[i], sinh_q[i], uinh_q[i], 52'd0, event_q[i]};
    end
    if (addr == CsrMcountinhibit) read = {32'd0, inhibit_q};
    if (addr == CsrScountovf) read = 64'(of_q) << First;
  endfunction
  always_comb begin
    rdata_o = trigger_rdata;
    if (csr_in_pmu(req_i.addr)) rdata_o = read(req_i.addr);
  end

  if (2 * (CoreWidth + 1) > 2 ** NearBits) begin : gen_near
    $error("NearBits: two cycles count more");
  end
  logic near_before_q;
  always_ff @(posedge clk_i) near_before_q <= near_q;

  `include "assert.svh"
  `ASSERT(OverflowIsNear, !overflow[Sampling] || near_before_q)
  for (genvar i = 0; i < Counters; i++) begin : gen_counter
    `ASSERT(FullIsDerived, full_q[i] == full_segments(counter_q[i][63:LowBits]))
    `ASSERT(ActiveIsDerived, active_q[i] == (known(event_q[i]) && !inhibit_q[First+i]))
  end
endmodule
