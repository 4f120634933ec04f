// One programmable counter of the PMU with its event selector (Sscofpmf: OF, MINH, UINH).
//
// Counts step_i in the privilege modes that are not inhibited. On overflow sets OF (overflow_o, in that cycle) and goes
// on from start_i: 0, or what the hardware reload says.
module pmu_counter
  import core_pkg::*;
  import csrs_pkg::*;
(
  input  logic       clk_i,
  input  logic       rst_ni,
  input  priv_e      priv_i,
  input  logic       inhibit_i,        // mcountinhibit
  input  logic [3:0] retired_i,        // instructions that leave the core in this cycle
  input  word_t      start_i,          // added to the counter when it overflows
  input  logic       write_counter_i,
  input  logic       write_event_i,
  input  word_t      wdata_i,
  output word_t      counter_o,
  output word_t      event_o,
  output logic       overflow_o,
  output logic       lcofi_o           // overflow with OF clear: raises the interrupt
);
  localparam int unsigned Of = 63, Minh = 62, Uinh = 60;
  typedef enum logic [7:0] { EVENT_NONE = 0, EVENT_CYCLES = 1, EVENT_INSTRUCTIONS = 2 } event_e;

  word_t counter_q, event_q;
  logic [3:0] step;
  logic [64:0] sum;

  always_comb begin
    step = '0;
    if (event_q[7:0] != EVENT_NONE && !inhibit_i && !event_q[(priv_i == PRIV_M) ? Minh : Uinh]) begin
      if (event_q[7:0] == EVENT_CYCLES) step = 4'd1;
      else if (event_q[7:0] == EVENT_INSTRUCTIONS) step = retired_i;
    end
  end
  assign sum = {1'b0, counter_q} + 65'(step);
  assign overflow_o = sum[64] && !write_counter_i;
  assign lcofi_o = overflow_o && !event_q[Of];

  always_ff @(posedge clk_i) begin
    if (!rst_ni) begin
      counter_q <= '0;
      event_q <= '0;
    end else begin
      if (write_counter_i) counter_q <= wdata_i;
      else if (overflow_o) counter_q <= sum[63:0] + start_i;
      else if (step != '0) counter_q <= sum[63:0];
      if (write_event_i) event_q <= wdata_i & CsrMhpmevent3Mask;
      else if (overflow_o) event_q[Of] <= 1'b1;
    end
  end

  assign counter_o = counter_q;
  assign event_o = event_q;
endmodule
