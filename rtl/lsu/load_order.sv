// Loads of one address stay in order where others may pass each other (lsu.load_order = 1): a load that loses its line
// while an older one has no data keeps a mark, and an older one that gets data of the same bytes finds it then.
//
// Two loads of a byte may return it from one write, or the younger from a store that lies between them, in any order
// (RVWMO, rule 2). So a younger load that has its data from a store after the older one is passed over. And an older
// one that has them from a store finds nobody: a younger one of these bytes has met that store, too, or a later one.
//
// Latency: found_o in the cycle in which the older load is in M1. A mark is set in the cycle after the line was lost
// (early_i), and counts in that cycle: an older load that is in M1 then has its data from after the loss.
// Invariant: a mark belongs to a load that has its data.
module load_order
  import config_pkg::*;
  import core_pkg::*;
  import lsu_pkg::*;
(
  input  logic clk_i,
  input  logic rst_ni,
  input  lq_vec_t early_i,                // has lost its line, and an older one has no data
  input  load_result_t res_i [MemPorts],  // M1: how loads end
  input  lq_vec_t same_i [MemPorts],      // has bytes of that load
  // the load queue
  input  lq_vec_t done_i,
  input  lq_vec_t gone_i,
  input  lq_vec_t fwd_i,                  // a store's data, of sq_i
  input  load_info_t info_i [LqEntries],
  input  rob_idx_t rob_i [LqEntries],
  input  sq_idx_t sq_i [LqEntries],
  output lq_vec_t found_o
);
  lq_vec_t marked_q, marked, passed [MemPorts];
  assign marked = marked_q | early_i;

  // Whether a store comes after a load, whose place among stores is sq.
  function automatic logic after(input sq_idx_t store, input sq_idx_t sq);
    after = store == sq || sq_older(sq, store);
  endfunction

  // Whether the load in M1 has its data is known last.
  always_comb
    for (int p = 0; p < MemPorts; p++) begin
      automatic logic [LqBits-2:0] at = res_i[p].lq.idx;
      passed[p] = '0;
      if (marked != '0)
        for (int i = 0; i < LqEntries; i++)
          passed[p][i] = marked[i] && same_i[p][i] && rob_older(rob_i[at], rob_i[i]) &&
                         !(fwd_i[i] && after(sq_i[i], info_i[at].sq));
    end

  always_comb begin
    found_o = '0;
    for (int p = 0; p < MemPorts; p++)
      if (res_i[p].valid && res_i[p].result == RES_DONE && !res_i[p].fwd) found_o |= passed[p];
  end

  always_ff @(posedge clk_i) marked_q <= rst_ni ? marked & ~gone_i : '0;

  `include "assert.svh"
  `ASSERT(MarksDone, (marked & ~done_i) == '0)
endmodule
