// sample_delivery twice, with its records as plain ports: with counts that are soon full, and as it is built in. The
// sample is identified by lane 0's address alone: it goes through whole.
module sample_delivery_tb
  import config_pkg::*;
  import records_pkg::*;
  import profile_pkg::*;
(
  input  logic        clk_i,
  input  logic        rst_ni,
  input  logic        announce_i,
  input  logic [7:0]  hold_i,         // taken, further, lost, stalled, ends, instant, held, complete, from bit 7 on
  input  logic [63:0] mark_i,         // of the sample that the unit shows
  input  logic        partial_i,
  input  logic        acknowledge_i,
  output logic [5:0]  count_bits_o,
  // [0]: short counts, [1]: as built in
  output logic [1:0]  take_o,
  output logic [1:0]  lost_o,
  output logic [1:0]  interrupt_o,
  output logic [1:0]  ready_o,
  output logic [1:0]  ready_pulse_o,
  output logic [1:0]  partial_o,
  output logic [63:0] mark_o [2],
  output logic [63:0] cycle_o [2],
  output logic [31:0] repeats_o [2],
  output logic [31:0] stalled_o [2]
);
  localparam int unsigned CountBits = 3;
  hold_t hold;
  sample_t sample;
  assign count_bits_o = 6'(CountBits);
  // offers: not held, or complete
  assign {hold.offers, hold.taken, hold.further, hold.lost, hold.stalled, hold.ends, hold.instant, hold.held,
          hold.complete} = {!hold_i[1] || hold_i[0], hold_i};
  // Every field has bits of the mark.
  function automatic sample_t marked(input logic [63:0] mark);
    marked = $bits(sample_t)'({(($bits(sample_t) + 63) / 64){mark}});
    marked.addr[0] = mark;
  endfunction
  assign sample = marked(mark_i);
  delivery_t delivered [2];
  logic [1:0] interrupts;
  always_ff @(posedge clk_i) interrupt_o <= rst_ni ? interrupts : '0;  // emitted in the next cycle
  sample_delivery #(.CountBits(CountBits)) u_short (
    .clk_i(clk_i), .rst_ni(rst_ni), .announce_i(announce_i), .hold_i(hold), .sample_i(sample), .partial_i(partial_i),
    .take_o(take_o[0]), .acknowledge_i(acknowledge_i), .lost_o(lost_o[0]), .interrupt_o(interrupts[0]),
    .ready_o(ready_o[0]), .ready_pulse_o(ready_pulse_o[0]), .sample_o(delivered[0])
  );
  sample_delivery u_built_in (
    .clk_i(clk_i), .rst_ni(rst_ni), .announce_i(announce_i), .hold_i(hold), .sample_i(sample), .partial_i(partial_i),
    .take_o(take_o[1]), .acknowledge_i(acknowledge_i), .lost_o(lost_o[1]), .interrupt_o(interrupts[1]),
    .ready_o(ready_o[1]), .ready_pulse_o(ready_pulse_o[1]), .sample_o(delivered[1])
  );
  for (genvar i = 0; i < 2; i++) begin : gen_each
    logic [63:0] mark;
    assign mark = delivered[i].sample.addr[0];
    assign mark_o[i] = delivered[i].sample == marked(mark) ? mark : '1;  // -1: some field is not the sample's
    assign partial_o[i] = delivered[i].partial;
    assign cycle_o[i] = delivered[i].cycle;
    assign repeats_o[i] = delivered[i].repeats;
    assign stalled_o[i] = delivered[i].stalled;
  end
endmodule
