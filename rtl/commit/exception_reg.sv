// The oldest exception of all instructions in flight. What is younger than it dies with it, so one register does.
//
// Candidates arrive from the serial unit, the load/store unit's ports and as ordering violations (replays, a cycle after they
// were found); each is alive in its cycle except for what the squash of that cycle kills. Latency: known to commit in the next cycle.
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
  exception_t held_q, oldest;

  always_comb begin
    oldest = held_q;
    oldest.valid = held_q.valid && !rob_killed(squash_i, held_q.rob);
    for (int s = 0; s < Sources; s++)
      if (source_i[s].valid && !rob_killed(squash_i, source_i[s].rob) &&
          (!oldest.valid || rob_older(source_i[s].rob, oldest.rob)))
        oldest = source_i[s];
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
endmodule
