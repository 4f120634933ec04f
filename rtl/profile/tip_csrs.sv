// The CSRs of the sampling unit: the sample as software reads it, the sampling period, the count of lost triggers.
//
// Layout: tables/csrs.tsv (rows whose `where` is tip_csrs). shpmspc and shpmsdata follow the Sspesa draft: they hold
// their values until software clears `ready` by a write to shpmsdata, which shows the next sample; without one they read 0. Reading changes nothing.
// What S-mode may see of M-mode: that there was a sample, when, in which state, and for how many triggers it stands; not
// which instructions, nor their vectors (hidden_i: addresses and vectors read 0 where the sample's mode is M).
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
  output word_t       rdata_o,      // of req_i.addr; 0 for an address that is not here
  input  logic        hidden_i,     // the reader is not M-mode
  input  logic        lost_i,       // a trigger is lost
  input  logic        ready_i,
  input  delivery_t   sample_i,
  output logic        acknowledge_o,
  output word_t       period_o,        // cycles; 0: no hardware reload
  output logic        golden_o,        // kind of the jitter (sample_reload)
  output logic [5:0]  jitter_bits_o,
  output logic        seed_valid_o,
  output logic [31:0] seed_o
);
  // Shape of the sample CSRs: 16 bits a vector in tipoff_psv, as many PsvBits as fit in shpmsdata from bit 28 on.
  localparam int unsigned PsvsInData = (36 / PsvBits < CoreWidth) ? 36 / PsvBits : CoreWidth;
  localparam int unsigned ReadyBit = 22;

  word_t period_q, jitter_q, collisions_q;

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
    data_word[25] = sample_i.partial;
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

  logic write_jitter;
  assign write_jitter = req_i.write && req_i.addr == CsrTipoffJitter;
  always_ff @(posedge clk_i) begin
    if (!rst_ni) begin
      period_q <= CsrTipoffPeriodReset;
      jitter_q <= CsrTipoffJitterReset;
      collisions_q <= CsrTipoffCollisionsReset;
    end else begin
      if (lost_i) collisions_q <= collisions_q + 64'd1;
      if (req_i.write && req_i.addr == CsrTipoffPeriod) period_q <= req_i.wdata;
      if (write_jitter) jitter_q <= req_i.wdata & CsrTipoffJitterMask;
      if (req_i.write && req_i.addr == CsrTipoffCollisions) collisions_q <= req_i.wdata;
    end
  end

  assign acknowledge_o = req_i.write && req_i.addr == CsrShpmsdata && !req_i.wdata[ReadyBit];
  assign period_o = period_q;
  assign golden_o = jitter_q[54];
  assign jitter_bits_o = jitter_q[53:48];
  assign seed_valid_o = write_jitter;
  assign seed_o = req_i.wdata[31:0];
endmodule
