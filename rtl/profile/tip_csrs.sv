// The CSRs of the sampling unit: the sample as software reads it, the sampling period, the count of lost triggers.
//
// Layout: tables/csrs.tsv (rows whose `where` is tip_csrs). shpmspc and shpmsdata follow the Sspesa draft: they hold
// their values until software clears `ready` by a write to shpmsdata, which shows the next sample; without one they read 0. Reading changes nothing.
// What S-mode may see of M-mode: that there was a sample, when, in which state, and for how many triggers it stands; not
// which instructions, nor their vectors (hidden_i: addresses and vectors read 0 where the sample's mode is M).
// Latency: a read shows the registers as they are. A write is decoded in its own cycle and done in the next one: what it has written
// can be read two cycles after it. An acknowledge is told in its own cycle.
module tip_csrs
  import config_pkg::*;
  import records_pkg::*;
  import profile_pkg::*;
  import events_pkg::*;
  import csrs_pkg::*;
  import core_pkg::*;
(
  input  logic        clk_i,
  input  logic        rst_ni,
  input  csr_req_t    req_i,
  input  word_t       wdata_i,      // req_i.wdata of the cycle before
  output word_t       rdata_o,      // of req_i.addr; 0 for an address that is not here
  input  logic        hidden_i,     // the reader is not M-mode
  input  logic        lost_i,       // a trigger is lost: counted in the next cycle
  input  logic        ready_i,
  input  delivery_t   sample_i,
  output logic        acknowledge_o,
  output word_t       period_o,        // cycles; 0: no hardware reload
  output logic        golden_o,        // kind of the jitter (sample_reload)
  output logic [5:0]  jitter_bits_o,
  output logic        draws_o,         // the jitter is of random numbers
  output logic        changed_o,       // period or jitter are written at the end of this cycle
  output logic        seed_valid_o,
  output logic [31:0] seed_o
);
  // Shape of the sample CSRs: 16 bits a vector in tipoff_psv, as many PsvBits as fit in shpmsdata from bit 28 on.
  localparam int unsigned PsvsInData = (36 / PsvBits < CoreWidth) ? 36 / PsvBits : CoreWidth;
  localparam int unsigned ReadyBit = 22;

  localparam int unsigned Segment = 8, Segments = 64 / Segment;  // of the count of lost triggers

  word_t period_q, jitter_q, collisions_q;
  logic draws_q;  // beside jitter_q: the shift register steps at once

  sample_t shown;  // to M-mode
  always_comb begin
    shown = sample_i.sample;
    if (Vectors == 0) shown.psv = '0;  // they are; so, no register holds them
  end

  function automatic word_t data_word(input logic hide);
    data_word = '0;
    data_word[4:0] = 5'(SampleCounter);
    data_word[6:5] = shown.state;
    data_word[14:7] = 8'(shown.valid);
    data_word[17:15] = 3'(shown.oldest);
    data_word[18] = shown.exception;
    data_word[19] = shown.flush;
    data_word[20] = shown.mispredict;
    data_word[21] = shown.state == STATE_DRAINED;
    data_word[ReadyBit] = ready_i;
    data_word[24:23] = shown.priv;
    for (int i = 0; i < PsvsInData; i++) if (!hide) data_word[28 + i * PsvBits +: PsvBits] = shown.psv[i];
  endfunction

  function automatic word_t psv_word(input logic high);
    psv_word = '0;
    for (int i = 0; i < CoreWidth; i++) begin
      if ((i >= 4) == high) psv_word[(i % 4) * 16 +: 16] = 16'(shown.psv[i]);
    end
  endfunction

  function automatic word_t addr_word(input logic [2:0] lane);
    addr_word = '0;
    for (int i = 0; i < CoreWidth; i++) begin
      if (lane == 3'(i)) addr_word = shown.addr[i];
    end
  endfunction

  function automatic logic csr_of_sample(input logic [11:0] addr);
    csr_of_sample = addr != CsrTipoffPeriod && addr != CsrTipoffJitter && addr != CsrTipoffCollisions;
  endfunction

  function automatic word_t read(input logic [11:0] addr, input logic hidden);
    logic hide;
    hide = hidden && shown.priv == 2'd3;
    case (addr)
      CsrTipoffPeriod: read = period_q;
      CsrTipoffJitter: read = jitter_q;
      CsrTipoffCollisions: read = collisions_q;
      CsrShpmspc: read = hide ? '0 : shown.addr[shown.oldest];
      CsrShpmsdata: read = data_word(hide);
      CsrTipoffPsv0: read = hide ? '0 : psv_word(1'b0);
      CsrTipoffPsv1: read = hide ? '0 : psv_word(1'b1);
      CsrTipoffCycle: read = sample_i.cycle;
      CsrTipoffRepeat: read = {sample_i.stalled, sample_i.repeats};
      CsrTipoffSpace: read = 64'(shown.space);
      default: read = (addr >= CsrTipoffAddr0 && addr <= CsrTipoffAddr7 && !hide) ? addr_word(addr[2:0]) : '0;
    endcase
    if (!ready_i && csr_of_sample(addr)) read = addr == CsrShpmsdata ? 64'(SampleCounter) : '0;
  endfunction

  // Guarded, so that a simulator does not assemble words that nobody reads.
  always_comb begin
    rdata_o = '0;
    if (csr_in_tip_csrs(req_i.addr)) rdata_o = read(req_i.addr, hidden_i);
  end

  logic write_period_q, write_jitter_q, write_collisions_q, lost_q;
  logic low_full_q;              // the lowest segment is full
  logic [Segments-2:1] full_q;   // ... these are, of the cycle before: they change only where the lowest begins anew
  logic [Segments-1:0] carry;    // into each
  always_comb
    for (int k = 0; k < Segments; k++) begin
      carry[k] = lost_q && (k == 0 || low_full_q);
      for (int below = 1; below < k; below++) carry[k] &= full_q[below];
    end

  always_ff @(posedge clk_i) begin
    if (!rst_ni) begin
      write_period_q <= 1'b0;
      write_jitter_q <= 1'b0;
      write_collisions_q <= 1'b0;
      lost_q <= 1'b0;
      period_q <= CsrTipoffPeriodReset;
      jitter_q <= CsrTipoffJitterReset;
      draws_q <= 1'b0;
      collisions_q <= CsrTipoffCollisionsReset;
      low_full_q <= &CsrTipoffCollisionsReset[Segment-1:0];
      full_q <= '0;
    end else begin
      write_period_q <= req_i.write && req_i.addr == CsrTipoffPeriod;
      write_jitter_q <= req_i.write && req_i.addr == CsrTipoffJitter;
      write_collisions_q <= req_i.write && req_i.addr == CsrTipoffCollisions;
      lost_q <= lost_i;
      if (write_period_q) period_q <= wdata_i;
      if (write_jitter_q) begin
        jitter_q <= wdata_i & CsrTipoffJitterMask;
        draws_q <= !wdata_i[54] && wdata_i[53:48] != '0;
      end
      for (int k = 0; k < Segments; k++) begin
        if (carry[k]) collisions_q[k*Segment+:Segment] <= collisions_q[k*Segment+:Segment] + Segment'(1);
        if (k != 0 && k != Segments - 1) full_q[k] <= &collisions_q[k*Segment+:Segment];
      end
      if (lost_q) low_full_q <= collisions_q[Segment-1:0] == ~Segment'(1);
      if (write_collisions_q) begin
        collisions_q <= wdata_i;
        low_full_q <= &wdata_i[Segment-1:0];
        for (int k = 1; k < Segments - 1; k++) full_q[k] <= &wdata_i[k*Segment+:Segment];
      end
    end
  end

  assign acknowledge_o = req_i.write && req_i.addr == CsrShpmsdata && !req_i.wdata[ReadyBit];
  assign period_o = period_q;
  assign golden_o = jitter_q[54];
  assign jitter_bits_o = jitter_q[53:48];
  assign draws_o = draws_q;
  assign changed_o = write_jitter_q || write_period_q;
  assign seed_valid_o = write_jitter_q;
  assign seed_o = wdata_i[31:0];

  `include "assert.svh"
  `ASSERT(LowFullIsDerived, low_full_q == &collisions_q[Segment-1:0])
  for (genvar k = 1; k < Segments - 1; k++) begin : gen_full
    `ASSERT(FullIsDerived, !low_full_q || full_q[k] == &collisions_q[k*Segment+:Segment])
  end
endmodule
