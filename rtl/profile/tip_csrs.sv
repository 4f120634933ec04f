// The CSRs of the TIP unit: the sample as software reads it, the sampling period, the collision counter.
//
// Layout: tables/csrs.tsv (rows whose `where` is tip_csrs). shpmspc and shpmsdata follow the Sspesa draft: they hold
// their values until software clears `ready` by a write to shpmsdata; only then the next trigger is taken.
module tip_csrs
  import config_pkg::*;
  import records_pkg::*;
  import events_pkg::*;
  import csrs_pkg::*;
  import core_pkg::*;
(
  input  logic        clk_i,
  input  logic        rst_ni,
  input  csr_req_t    req_i,
  output word_t       rdata_o,      // of req_i.addr; 0 for an address that is not here
  input  logic        collision_i,
  input  logic        ready_i,
  input  sample_t     sample_i,
  output logic        acknowledge_o,
  output word_t       period_o,        // cycles; 0: no hardware reload
  output logic [5:0]  jitter_bits_o,   // 0: periodic
  output logic        seed_valid_o,
  output logic [31:0] seed_o
);
  // Shape of the sample CSRs: 16 bits a vector in tipoff_psv, as many PsvBits as fit in shpmsdata from bit 28 on.
  localparam int unsigned PsvsInData = (36 / PsvBits < CoreWidth) ? 36 / PsvBits : CoreWidth;
  localparam int unsigned ReadyBit = 22;

  word_t period_q, jitter_q, collisions_q;

  function automatic word_t data_word();
    data_word = '0;
    data_word[4:0] = 5'(SampleCounter);
    data_word[6:5] = sample_i.state;
    data_word[14:7] = 8'(sample_i.valid);
    data_word[17:15] = 3'(sample_i.oldest);
    data_word[18] = sample_i.exception;
    data_word[19] = sample_i.flush;
    data_word[20] = sample_i.mispredict;
    data_word[21] = sample_i.state == STATE_DRAINED;
    data_word[ReadyBit] = ready_i;
    for (int i = 0; i < PsvsInData; i++) data_word[28 + i * PsvBits +: PsvBits] = sample_i.psv[i];
  endfunction

  function automatic word_t psv_word(input logic high);
    psv_word = '0;
    for (int i = 0; i < CoreWidth; i++) begin
      if ((i >= 4) == high) psv_word[(i % 4) * 16 +: 16] = 16'(sample_i.psv[i]);
    end
  endfunction

  function automatic word_t addr_word(input logic [2:0] lane);
    addr_word = '0;
    for (int i = 0; i < CoreWidth; i++) begin
      if (lane == 3'(i)) addr_word = sample_i.addr[i];
    end
  endfunction

  function automatic word_t read(input logic [11:0] addr);
    case (addr)
      CsrTipoffPeriod: read = period_q;
      CsrTipoffJitter: read = jitter_q;
      CsrTipoffCollisions: read = collisions_q;
      CsrShpmspc: read = sample_i.addr[sample_i.oldest];
      CsrShpmsdata: read = data_word();
      CsrTipoffPsv0: read = psv_word(1'b0);
      CsrTipoffPsv1: read = psv_word(1'b1);
      default: read = (addr >= CsrTipoffAddr0 && addr <= CsrTipoffAddr7) ? addr_word(addr[2:0]) : '0;
    endcase
  endfunction

  // Guarded, so that a simulator does not assemble words that nobody reads.
  always_comb begin
    rdata_o = '0;
    if (csr_in_tip_csrs(req_i.addr)) rdata_o = read(req_i.addr);
  end

  logic write_jitter;
  assign write_jitter = req_i.write && req_i.addr == CsrTipoffJitter;
  always_ff @(posedge clk_i) begin
    if (!rst_ni) begin
      period_q <= CsrTipoffPeriodReset;
      jitter_q <= CsrTipoffJitterReset;
      collisions_q <= CsrTipoffCollisionsReset;
    end else begin
      if (collision_i) collisions_q <= collisions_q + 64'd1;
      if (req_i.write && req_i.addr == CsrTipoffPeriod) period_q <= req_i.wdata;
      if (write_jitter) jitter_q <= req_i.wdata & CsrTipoffJitterMask;
      if (req_i.write && req_i.addr == CsrTipoffCollisions) collisions_q <= req_i.wdata;
    end
  end

  assign acknowledge_o = req_i.write && req_i.addr == CsrShpmsdata && !req_i.wdata[ReadyBit];
  assign period_o = period_q;
  assign jitter_bits_o = jitter_q[53:48];
  assign seed_valid_o = write_jitter;
  assign seed_o = req_i.wdata[31:0];
endmodule
