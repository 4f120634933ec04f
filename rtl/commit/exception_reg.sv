// The oldest exception of all instructions in flight. What is younger than it dies with it, so one register does.
//
// Candidates arrive from the serial unit, the load/store unit's ports and as ordering violations (replays, a cycle
// after they were found); each is alive in its cycle except for what the squash of that cycle kills. Latency: known to
// commit in the next cycle.
module exception_reg
  import core_pkg::*;
  import rob_pkg::*;
  import commit_pkg::*;
#(
  parameter int unsigned Sources = 4
) (
  input  logic clk_i,
  input  logic rst_ni,
  input  squash_t squash_i,
  input  exception_t source_i [Sources],
  output exception_t exception_o
);
  exception_t held_q, oldest, candidate [Sources+1];
  logic [Sources:0] alive, first;

  // All against all, for what is alive comes last: one is the oldest if none that is alive is older. Of two of one
  // instruction the one with the lower number, the held one first.
  always_comb begin
    for (int i = 0; i <= Sources; i++) begin
      candidate[i] = i == 0 ? held_q : source_i[i > 0 ? i - 1 : 0];
      alive[i] = candidate[i].valid && !rob_killed(squash_i, candidate[i].rob);
    end
    first = alive;
    if (alive != '0)  // saves simulation time
      for (int i = 0; i <= Sources; i++)
        for (int j = 0; j <= Sources; j++)
          if (j != i && alive[j] &&
              (j < i ? !rob_older(candidate[i].rob, candidate[j].rob) : rob_older(candidate[j].rob, candidate[i].rob)))
            first[i] = 1'b0;
    oldest = '0;
    for (int i = 0; i <= Sources; i++) if (first[i]) oldest |= candidate[i];
    oldest.valid = alive != '0;
  end

  always_ff @(posedge clk_i) begin
    held_q.valid <= rst_ni && oldest.valid;
    if (oldest.valid) begin
      held_q.rob <= oldest.rob;
      held_q.replay <= oldest.replay;
      held_q.cause <= oldest.cause;
      held_q.tval <= oldest.tval;
    end
  end

  assign exception_o = held_q;

  `include "assert.svh"
  `ASSERT(OneIsFirst, 32'($countones(first)) == 32'(alive != '0))
endmodule
