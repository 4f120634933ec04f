// The harness's own ProfileMe, on the same core as the program's: set through the harness unit's CSR port, read record
// by record as each is ready. The program can neither see nor disturb it.
module harness_life
  import config_pkg::*;
  import core_pkg::*;
  import instruction_sample_pkg::*;
(
  input logic clk_i,
  input logic rst_ni
);
  import "DPI-C" function void tipoff_instruction_sample(input longint unsigned w0, input longint unsigned w1,
                                                         input longint unsigned w2,
      input longint unsigned w3, input longint unsigned w4, input longint unsigned w5, input longint unsigned w6,
      input longint unsigned w7,
      input longint unsigned w8, input longint unsigned w9);
  logic ready;
  instruction_sample_t sample;

  function automatic word_t word(input logic [3:0] number);
    word = instruction_sample_word(sample, number);
  endfunction

  profileme u_profileme (
    .clk_i, .rst_ni, .req_i(u_harness.request), .hidden_i(1'b0), .take_i(1'b1), .ready_o(ready),
    .sample_o(sample),
    /* verilator lint_off PINCONNECTEMPTY */  // read by functions
    .rdata_o(), .lcofi_o(),
    /* verilator lint_on PINCONNECTEMPTY */
    .packet_i(u_tile.u_core.packet), .priv_i(u_tile.u_core.seen.priv),
    .space_i(u_tile.u_core.seen.space), .dis_i(u_tile.u_core.dis),
    .lane_i(u_tile.u_core.gen_life.lane), .conflict_i(u_tile.u_core.conflict),
    .wake_i(u_tile.u_core.wake), .issue_i(u_tile.u_core.gen_life.issue),
    .addressed_i(u_tile.u_core.lsu_report.addressed), .event_i(u_tile.u_core.mem_event),
    .resolve_i(u_tile.u_core.resolve), .done_i(u_tile.u_core.gen_life.done),
    .leaving_i(u_tile.u_core.gen_life.leaving)
  );

  always_ff @(posedge clk_i)
    if (rst_ni && ready)
      tipoff_instruction_sample(word(4'd0), word(4'd1), word(4'd2), word(4'd3), word(4'd4), word(4'd5), word(4'd6),
                                word(4'd7), word(4'd8), word(4'd9));
endmodule
