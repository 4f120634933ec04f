// The CSRs of the sampling unit: the sample as software reads it, the sampling period, the count of lost triggers.
//
// Layout: tables/csrs.tsv (rows whose `where` is tip_csrs). shpmspc and shpmsdata follow the Sspesa draft: they hold
// their values until software clears `ready` by a write to shpmsdata, which shows the next sample; without one they
// read 0. Reading changes nothing. What S-mode may see of M-mode: the existence of a sample, when, in which state, and
// for how many triggers it stands; not which instructions, nor their vectors (hidden_i: addresses and vectors read 0
// where the sample's mode is M). Latency: a read shows the registers as they are in the cycle after the address. A
// write is decoded in its own cycle and done in the next one: what it has written can be read two cycles after it. An
// acknowledge goes out in its own cycle.
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
  output word_t       rdata_o,      // of req_i.addr of the cycle before; 0 for an address that is not here
  input  logic        hidden_i,     // the reader, who gives the address, is not M-mode
  input  logic        lost_i,       // a trigger is lost: counted in the next cycle
  input  logic        ready_i,
  input  delivery_t   sample_i,
  output logic        acknowledge_o,
  output word_t       period_o,        // cycles; 0: no hardware reload
  output logic        golden_o,        // kind of the jitter (sample_reload)
  output logic [5:0]  jitter_bits_o,
  output logic        draws_o,         // the jitter draws random numbers
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

  // Which CSR is read.
  typedef struct packed {
    logic period;
    logic jitter;
    logic collisions;
    logic pc;
    logic data;
    logic psv0;
    logic psv1;
    logic cycle;
    logic repeats;
    logic space;
    logic [CoreWidth-1:0] lane;
  } which_t;

  function automatic which_t which(input logic [11:0] addr);
    which = '{period: addr == CsrTipoffPeriod, jitter: addr == CsrTipoffJitter, collisions: addr == CsrTipoffCollisions,
              pc: addr == CsrShpmspc, data: addr == CsrShpmsdata, psv0: addr == CsrTipoffPsv0,
              psv1: addr == CsrTipoffPsv1, cycle: addr == CsrTipoffCycle, repeats: addr == CsrTipoffRepeat,
              space: addr == CsrTipoffSpace, lane: '0};
    for (int i = 0; i < CoreWidth; i++) which.lane[i] = addr == CsrTipoffAddr0 + 12'(i);
  endfunction

  function automatic word_t data_word();
    data_word = '0;
    data_word[6:5] = shown.state;
    data_word[14:7] = 8'(shown.valid);
    data_word[17:15] = 3'(shown.oldest);
    data_word[18] = shown.exception;
    data_word[19] = shown.flush;
    data_word[20] = shown.mispredict;
    data_word[21] = shown.state == STATE_DRAINED;
    data_word[ReadyBit] = 1'b1;
    data_word[24:23] = shown.priv;
    data_word[25] = sample_i.partial;
  endfunction

  function automatic word_t vectors_in_data();
    vectors_in_data = '0;
    for (int i = 0; i < PsvsInData; i++) vectors_in_data[28 + i * PsvBits +: PsvBits] = shown.psv[i];
  endfunction

  function automatic word_t psv_word(input logic high);
    psv_word = '0;
    for (int i = 0; i < CoreWidth; i++) begin
      if ((i >= 4) == high) psv_word[(i % 4) * 16 +: 16] = 16'(shown.psv[i]);
    end
  endfunction

  function automatic word_t where(input logic here, input word_t value);
    where = here ? value : '0;
  endfunction

  // The selected value is early; the condition that hides it comes last.
  function automatic word_t chosen(input which_t from, input logic hidden);
    word_t secret, shown_word, own;
    secret = where(from.data, vectors_in_data()) | where(from.psv0, psv_word(1'b0)) | where(from.psv1, psv_word(1'b1));
    for (int i = 0; i < CoreWidth; i++)
      secret |= where(from.lane[i] || (from.pc && shown.oldest == LaneBits'(i)), shown.addr[i]);
    shown_word = where(from.data, data_word()) | where(from.cycle, sample_i.cycle) |
           where(from.repeats, {sample_i.stalled, sample_i.repeats}) | where(from.space, 64'(shown.space));
    own = where(from.period, period_q) | where(from.jitter, jitter_q) | where(from.collisions, collisions_q) |
          where(from.data, 64'(SampleCounter));
    chosen = own | where(ready_i, shown_word) | where(ready_i && !(hidden && shown.priv == 2'd3), secret);
  endfunction

  function automatic word_t read(input logic [11:0] addr, input logic hidden);
    read = chosen(which(addr), hidden);
  endfunction

  // Guarded, so that a simulator does not assemble words that nobody reads.
  which_t which_q;
  logic hidden_q;
  always_ff @(posedge clk_i) begin
    which_q <= '0;
    if (csr_in_tip_csrs(req_i.addr)) which_q <= which(req_i.addr);
    hidden_q <= hidden_i;
  end
  always_comb begin
    rdata_o = '0;
    if (which_q != '0) rdata_o = chosen(which_q, hidden_q);
  end

  logic write_period_q, write_jitter_q, write_collisions_q, lost_q;
  logic low_full_q;              // the lowest segment is full
  logic [Segments-2:1] full_q;   // ... these are, of the cycle before: they change only where the lowest restarts
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
