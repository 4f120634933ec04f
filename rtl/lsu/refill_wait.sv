// One access that may miss: asleep from a miss on until a refill, and what becomes of its line. Latency: sleep is a
// register; arrives_o and fails_o are known in the cycle of the refill.
//
//   M1: miss --join_i, full_i--> asleep_o until any refill; the access tries again
//          \------------------> waits for its line: the refill that brings it, whoever has asked for it, asleep or not
//                           arrives_o: it comes; fails_o: the bus has answered with an error, and no try will ever hit
//                           lacks_o: no MSHR has its line, for there was none to take
//
// Other refills may wake an access that sleeps, and its line's answer may come before its next try: whoever looked at
// that answer only while asleep would ask the bus once more, without end if something else were refilled each time.
// (With several harts, this is the place for: another hart has taken the line.)
module refill_wait
  import dcache_pkg::*;
(
  input  logic    clk_i,
  input  logic    rst_ni,
  input  line_t   line_i,       // the access's, from its first try to its end
  input  logic    miss_i,       // M1: it has missed
  input  logic    join_i,       // with it: the line is on its way
  input  logic    full_i,       // with it: no MSHR is free
  input  logic    end_i,        // there is no access, or it ends
  input  refill_t refill_i,
  output logic    asleep_o,
  output logic    arrives_o,
  output logic    fails_o,
  output logic    lacks_o
);
  logic sleep_q, waits_q, lacks_q;
  assign asleep_o = sleep_q;
  assign lacks_o = lacks_q;
  assign arrives_o = waits_q && refill_i.valid && refill_i.line == line_i;
  assign fails_o = arrives_o && refill_i.error;

  always_ff @(posedge clk_i)
    if (!rst_ni) begin
      sleep_q <= 1'b0;
      waits_q <= 1'b0;
      lacks_q <= 1'b0;
    end else begin
      // A refill in the cycle of the miss may have been the one to wait for.
      if (miss_i) sleep_q <= (join_i || full_i) && !refill_i.valid;
      else if (refill_i.valid) sleep_q <= 1'b0;
      waits_q <= !end_i && (miss_i || (waits_q && !arrives_o));
      lacks_q <= !end_i && (miss_i ? !join_i : lacks_q && !arrives_o);
    end
endmodule
