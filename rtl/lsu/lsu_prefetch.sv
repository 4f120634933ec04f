// Next-line prefetcher of the L1 data cache: a miss fetches the line after it, too, if that is in the same page.
//
//   miss in M1 (t) -> waits here for a cache port that is idle (t+1 or later) -> looked up like a probe
//
// A miss of a line that is on its way already counts: so the prefetcher stays a line ahead of a stream that catches up
// with it. The line asked for last is not asked for again. Where two wait, further ones are dropped.
module lsu_prefetch
  import config_pkg::*;
  import dcache_pkg::*;
(
  input  logic clk_i,
  input  logic rst_ni,
  // M1: misses of instructions
  input  logic [MemPorts-1:0] miss_i,
  input  line_t line_i [MemPorts],
  // EX
  output logic valid_o,
  output line_t line_o,
  input  logic take_i
);
  logic first_valid_q, second_valid_q, last_valid_q;
  line_t first_q, second_q, last_q;

  logic ask;
  line_t next;
  always_comb begin
    ask = 1'b0;
    next = '0;
    for (int p = 0; p < MemPorts; p++)
      if (miss_i[p] && !ask && line_i[p][5:0] != '1) begin
        next = line_i[p] + line_t'(1);
        ask = DcPrefetch != 0 && !(last_valid_q && next == last_q);
      end
  end

  assign valid_o = first_valid_q;
  assign line_o = first_q;

  always_ff @(posedge clk_i) begin
    if (!rst_ni) begin
      first_valid_q <= 1'b0;
      second_valid_q <= 1'b0;
      last_valid_q <= 1'b0;
    end else begin
      if (take_i) begin
        first_valid_q <= second_valid_q;
        second_valid_q <= 1'b0;
      end
      if (ask && !(second_valid_q && !take_i)) begin
        last_valid_q <= 1'b1;
        if (first_valid_q && !(take_i && !second_valid_q)) second_valid_q <= 1'b1;
        else first_valid_q <= 1'b1;
      end
    end
    if (take_i) first_q <= second_q;
    if (ask && !(second_valid_q && !take_i)) begin
      last_q <= next;
      if (first_valid_q && !(take_i && !second_valid_q)) second_q <= next;
      else first_q <= next;
    end
  end

  `include "assert.svh"
  `ASSERT(TakenExists, !take_i || first_valid_q)
endmodule
