// Performance-monitoring unit: the programmable counters, their overflow interrupt, and the sampling trigger.
//
// Counters 3..3+Counters-1 exist; the others read zero (WARL). Counter SampleCounter has a hardware reload: when it
// overflows and tipoff_period is not 0, it goes on from -(period + jitter), so that sampling needs no software in the
// loop; jitter is uniform in [-2^(bits-1), 2^(bits-1)), 0 where bits is 0. Software keeps 2^bits <= period.
// Latency: trigger_o follows the overflow by one cycle.
module pmu
  import config_pkg::*;
  import core_pkg::*;
  import csrs_pkg::*;
#(
  parameter int unsigned Counters = 4
) (
  input  logic              clk_i,
  input  logic              rst_ni,
  input  priv_e             priv_i,
  input  logic [LaneBits:0] retired_i,
  input  csr_req_t          req_i,
  output word_t             rdata_o,
  input  word_t             period_i,
  input  logic [5:0]        jitter_bits_i,
  input  logic              seed_valid_i,
  input  logic [31:0]       seed_i,
  output logic              lcofi_o,
  output logic              trigger_o
);
  localparam int unsigned First = 3;
  localparam int unsigned Sampling = SampleCounter - First;
  localparam logic [31:0] Present = ((32'd1 << Counters) - 32'd1) << First;  // in mcountinhibit
  localparam logic [31:0] Fixed = 32'h5;                                     // mcycle and minstret

  logic [Counters-1:0][63:0] counters, events;
  logic [Counters-1:0] overflow, lcofi;
  logic [31:0] inhibit_q, random;
  word_t start;

  for (genvar i = 0; i < Counters; i++) begin : gen_counter
    pmu_counter u_counter (
      .clk_i(clk_i), .rst_ni(rst_ni), .priv_i(priv_i), .inhibit_i(inhibit_q[First + i]), .retired_i(4'(retired_i)),
      .start_i((i == Sampling) ? start : '0),
      .write_counter_i(req_i.write && req_i.addr == CsrMhpmcounter3 + 12'(i)),
      .write_event_i(req_i.write && req_i.addr == CsrMhpmevent3 + 12'(i)),
      .wdata_i(req_i.wdata),
      .counter_o(counters[i]), .event_o(events[i]), .overflow_o(overflow[i]), .lcofi_o(lcofi[i])
    );
  end

  lfsr u_lfsr (
    .clk_i(clk_i), .rst_ni(rst_ni), .seed_valid_i(seed_valid_i), .seed_i(seed_i),
    .step_i(jitter_bits_i != '0), .value_o(random)
  );

  word_t span, jitter;
  always_comb begin
    start = '0;
    span = '0;
    jitter = '0;
    if (overflow[Sampling] && period_i != '0) begin
      if (jitter_bits_i != '0) begin
        span = 64'd1 << jitter_bits_i;
        jitter = ({32'd0, random} & (span - 64'd1)) - (span >> 1);
      end
      start = -(period_i + jitter);
    end
  end

  always_ff @(posedge clk_i) begin
    if (!rst_ni) begin
      inhibit_q <= '0;
      trigger_o <= 1'b0;
      lcofi_o <= 1'b0;
    end else begin
      if (req_i.write && req_i.addr == CsrMcountinhibit) inhibit_q <= req_i.wdata[31:0] & (Present | Fixed);
      trigger_o <= overflow[Sampling];
      lcofi_o <= lcofi != '0;
    end
  end

  function automatic word_t read(input logic [11:0] addr);
    read = '0;
    for (int i = 0; i < Counters; i++) begin
      if (addr == CsrMhpmcounter3 + 12'(i) || addr == CsrHpmcounter3 + 12'(i)) read = counters[i];
      if (addr == CsrMhpmevent3 + 12'(i)) read = events[i];
    end
    if (addr == CsrMcountinhibit) read = {32'd0, inhibit_q};
  endfunction
  always_comb begin
    rdata_o = '0;
    if (csr_in_pmu(req_i.addr)) rdata_o = read(req_i.addr);
  end
endmodule
