// Performance-monitoring unit: the programmable counters, their overflow interrupt, and the sampling trigger.
//
// Counters 3..3+Counters-1 exist; the others read zero (WARL). Each counts one event (pmu_events) in the privilege modes
// that its mhpmevent does not inhibit (Sscofpmf: MINH, SINH, UINH), unless mcountinhibit stops it. An overflow sets OF,
// and raises the interrupt if OF was clear; the interrupt of counter SampleCounter waits for the sample (sample_delivery).
// That counter has a hardware reload: when it overflows and tipoff_period is not 0, it goes on from -(period + jitter), so
// that sampling needs no software in the loop; jitter is uniform in [-2^(bits-1), 2^(bits-1)), 0 where bits is 0. A distance
// that is not in [MinPeriod, 2^64) is replaced by the period, or by MinPeriod: no setting stops the sampling.
// Latency: trigger_o and announce_o are of the overflow's own cycle, lcofi_o follows it by one. A write takes effect at the
// end of its cycle: what that cycle counts goes by the old event, and is lost where the counter itself is written; OF that
// is set by an overflow in the cycle of a write to mhpmevent is not lost.
// The masks below have a bit for each counter, and loops over counters stand behind guards, of all of them and of each
// Group: so a cycle costs a simulator only what really counts.
module pmu
  import config_pkg::*;
  import events_pkg::*;
  import records_pkg::*;
  import core_pkg::*;
  import csrs_pkg::*;
  import profile_pkg::*;
#(
  parameter int unsigned Counters = HpmCounters
) (
  input  logic              clk_i,
  input  logic              rst_ni,
  input  commit_bundle_t    bundle_i,
  input  state_e            state_i,     // of this cycle
  input  csr_req_t          req_i,
  output word_t             rdata_o,
  input  word_t             period_i,
  input  logic [5:0]        jitter_bits_i,
  input  logic              seed_valid_i,
  input  logic [31:0]       seed_i,
  output logic              lcofi_o,     // pulse: a counter that does not sample has overflowed
  output logic              trigger_o,   // counter SampleCounter overflows
  output logic              announce_o   // ... and is to interrupt when its sample is complete
);
  typedef logic [Counters-1:0] mask_t;
  localparam int unsigned Group = 8;
  localparam int unsigned Padded = (Counters + Group - 1) / Group * Group;
  localparam int unsigned First = 3;
  localparam int unsigned Sampling = SampleCounter - First;
  localparam mask_t Samples = mask_t'(1) << Sampling;
  localparam logic [31:0] Present = ((32'd1 << Counters) - 32'd1) << First;  // in mcountinhibit
  localparam logic [31:0] Fixed = 32'h5;                                     // mcycle and minstret
  localparam int unsigned Of = 63, Minh = 62, Sinh = 61, Uinh = 60;          // in mhpmevent

  logic [Counters-1:0][63:0] counter_q;
  logic [Counters-1:0][7:0] event_q;
  mask_t of_q, minh_q, sinh_q, uinh_q;
  mask_t active_q;                 // has an event and is not stopped by mcountinhibit
  logic [PmuEvents-1:0] wanted_q;  // events that active counters count
  logic [31:0] inhibit_q, random;

  // ---- counting ----
  logic [3:0] amount [PmuEvents];
  pmu_events u_pmu_events (
    .bundle_i(bundle_i), .state_i(state_i), .wanted_i(wanted_q), .amount_o(amount)
  );

  mask_t filtered, run, overflow;
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

  // The lower four bits of counter i and what it counts in this cycle. The upper ones go on by one at most.
  localparam int unsigned LowBits = 4;
  function automatic logic [LowBits:0] low_sum(input int i);
    low_sum = 5'(counter_q[i][LowBits-1:0]) + 5'(amount[event_q[i][PmuEventBits-1:0]]);
  endfunction

  // An overflow needs the upper 60 bits all ones.
  always_comb begin
    overflow = '0;
    if (run != '0) begin
      for (int g = 0; g < Counters; g += Group) begin
        if (any_in_group(run, g)) begin
          for (int i = g; i < g + Group && i < Counters; i++) begin
            if (run[i]) begin
              if (&counter_q[i][63:LowBits]) overflow[i] = low_sum(i) >= 5'd16;
            end
          end
        end
      end
      overflow = overflow & ~write_counter;
    end
  end

  // ---- hardware reload ----
  lfsr u_lfsr (
    .clk_i(clk_i), .rst_ni(rst_ni), .seed_valid_i(seed_valid_i), .seed_i(seed_i),
    .step_i(jitter_bits_i != '0), .value_o(random)
  );

  // Jitter of `bits` bits, 2^(bits-1) taken from that many bits of the random number without a subtraction: where the uppermost
  // of them is 0 the difference is negative.
  function automatic logic [64:0] jitter_of(input logic [5:0] bits, input logic [31:0] value);
    logic [63:0] wide;
    logic negative;
    wide = 64'(value);
    negative = !wide[bits-6'd1];
    jitter_of = {65{negative}};
    for (int i = 0; i < 63; i++) if (6'(i) + 6'd1 < bits) jitter_of[i] = wide[i];
    if (bits == '0) jitter_of = '0;
  endfunction

  // Where the counter goes on from when it overflows: minus a distance, plus what is left of the amount. Minus is the complement
  // plus one; the upper bits are there with and without a carry from the lower four, before these are known.
  logic [64:0] distance;  // signed: one bit more than what is added
  logic soon, near;       // the counter is about to overflow, and there is a period; the distance is not from MinPeriod on
  word_t from;            // complement of the distance that counts
  logic [63:LowBits] upper, upper_next;
  logic [LowBits:0] lower;
  if (MinPeriod != 1 << LowBits) begin : gen_min_period
    $error("near looks at the bits from MinPeriod's on");
  end
  always_comb begin
    distance = '0;
    near = 1'b0;
    from = '0;
    upper_next = '0;
    lower = '0;
    soon = &counter_q[Sampling][63:LowBits] && period_i != '0;
    if (soon) begin
      distance = {1'b0, period_i} + jitter_of(jitter_bits_i, random);
      near = distance[64] || distance[63:LowBits] == '0;
      from = ~(!near ? distance[63:0] : period_i[63:LowBits] != '0 ? period_i : 64'(MinPeriod));
      upper_next = from[63:LowBits] + 60'd1;
      lower = 5'(from[LowBits-1:0]) + 5'(LowBits'(low_sum(Sampling))) + 5'd1;
    end
  end
  assign upper = lower[LowBits] ? upper_next : from[63:LowBits];

  // ---- counters ----
  mask_t change;
  assign change = run | write_counter;
  always_ff @(posedge clk_i) begin
    if (!rst_ni) begin
      counter_q <= '0;
    end else if (change != '0) begin
      for (int g = 0; g < Counters; g += Group) begin
        if (any_in_group(change, g)) begin
          for (int i = g; i < g + Group && i < Counters; i++) begin
            if (change[i]) begin
              if (write_counter[i]) counter_q[i] <= req_i.wdata;
              else if (i == Sampling && soon && overflow[i]) counter_q[i] <= {upper, lower[LowBits-1:0]};
              else begin
                counter_q[i][LowBits-1:0] <= LowBits'(low_sum(i));
                if (low_sum(i) >= 5'd16) counter_q[i][63:LowBits] <= counter_q[i][63:LowBits] + 60'd1;
              end
            end
          end
        end
      end
    end
  end

  // ---- selection; what follows from it is kept beside it ----
  function automatic logic known(input logic [7:0] number);
    known = number != '0 && number < 8'(PmuTea + PsvBits);
  endfunction

  logic [7:0] number;
  logic [31:0] inhibit_d;
  mask_t active_d;
  logic [PmuEvents-1:0] wanted_d;
  logic select;  // events or mcountinhibit change
  assign select = write_event != '0 || write_inhibit;
  always_comb begin
    number = '0;
    inhibit_d = '0;
    active_d = '0;
    wanted_d = '0;
    if (select) begin
      inhibit_d = write_inhibit ? req_i.wdata[31:0] & (Present | Fixed) : inhibit_q;
      for (int i = 0; i < Counters; i++) begin
        number = write_event[i] ? req_i.wdata[7:0] : event_q[i];
        active_d[i] = known(number) && !inhibit_d[First+i];
        if (active_d[i]) wanted_d[number[PmuEventBits-1:0]] = 1'b1;
      end
    end
  end

  always_ff @(posedge clk_i) begin
    if (!rst_ni) begin
      event_q <= '0;
      inhibit_q <= '0;
      active_q <= '0;
      wanted_q <= '0;
      of_q <= '0;
      minh_q <= '0;
      sinh_q <= '0;
      uinh_q <= '0;
      lcofi_o <= 1'b0;
    end else begin
      if (select) begin
        for (int i = 0; i < Counters; i++) if (write_event[i]) event_q[i] <= req_i.wdata[7:0];
        inhibit_q <= inhibit_d;
        active_q <= active_d;
        wanted_q <= wanted_d;
        minh_q <= (minh_q & ~write_event) | (req_i.wdata[Minh] ? write_event : '0);
        sinh_q <= (sinh_q & ~write_event) | (req_i.wdata[Sinh] ? write_event : '0);
        uinh_q <= (uinh_q & ~write_event) | (req_i.wdata[Uinh] ? write_event : '0);
      end
      of_q <= (of_q & ~write_event) | (req_i.wdata[Of] ? write_event : '0) | overflow;
      lcofi_o <= (overflow & ~of_q & ~Samples) != '0;
    end
  end

  assign trigger_o = overflow[Sampling];
  assign announce_o = !of_q[Sampling] || period_i != '0;  // with the reload every sample interrupts, OF clear or not

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
    rdata_o = '0;
    if (csr_in_pmu(req_i.addr)) rdata_o = read(req_i.addr);
  end

  `include "assert.svh"
  for (genvar i = 0; i < Counters; i++) begin : gen_counter
    `ASSERT(ActiveIsDerived, active_q[i] == (known(event_q[i]) && !inhibit_q[First+i]))
  end
endmodule
