// What loads have met, for their vectors: ST_L1, and where the line has come from that they have missed.
//
// ST_LLC belongs to a load that has missed the L1 when its line comes from beyond the LLC while it waits, whoever has
// asked for the line: a load that found no free MSHR and then hits, because somebody else fetched its line meanwhile,
// has waited for the same memory. So does ST_COH where another hart had to give the line. The ROB hears of it in the
// refill's own cycle for the oldest load, the only one that may be looked at before it completes (an exception or
// interrupt is taken on the oldest instruction), and for the others when they are in M1 next. One that becomes the
// oldest in between, a few cycles, and is interrupted just then, shows ST_L1 alone.
module load_met
  import config_pkg::*;
  import core_pkg::*;
  import dcache_pkg::*;
  import lsu_pkg::*;
(
  input  logic clk_i,
  input  logic rst_ni,
  input  load_result_t res_i [MemPorts],      // M1: how loads end
  input  refill_t refill_i,
  input  logic keep_i,                        // what loads miss is kept for vectors (vector_gate); else it is 0
  // the load queue
  input  lq_idx_t head_i,
  input  rob_idx_t rob_i,                     // of the oldest
  input  lq_vec_t comes_i,                    // refill_i brings their line, and they are not done
  input  logic head_dies_i,
  input  lq_vec_t gone_i,
  output load_met_t met_o
);
  localparam bit Forgets = VectorWindow != 0 && ProfileTags == 0;  // ProfileMe's tags are read at any time

  lq_vec_t l1_q, llc_q, peer_q, l1_set, llc_set, peer_set;
  always_comb begin
    l1_set = '0;
    for (int p = 0; p < MemPorts; p++) if (res_i[p].valid) l1_set[res_i[p].lq.idx] = res_i[p].missed;
    // A load in M1 waits from now on if it has missed, which comes last: it meets nothing but what has been looked up
    // by then.
    llc_set = refill_i.llc ? comes_i & (l1_q | l1_set) : '0;
    peer_set = refill_i.peer ? comes_i & (l1_q | l1_set) : '0;
    met_o.rob = rob_i;
    met_o.oldest = '0;
    if (comes_i[head_i.idx] && l1_q[head_i.idx] && !head_dies_i)
      met_o.oldest = '{llc: refill_i.llc, peer: refill_i.peer};
    for (int p = 0; p < MemPorts; p++) begin
      automatic logic now = comes_i[res_i[p].lq.idx] && (l1_q[res_i[p].lq.idx] || res_i[p].missed);
      met_o.ended[p] = '{llc: llc_q[res_i[p].lq.idx] || (now && refill_i.llc),
                         peer: peer_q[res_i[p].lq.idx] || (now && refill_i.peer)};
      if (res_i[p].valid && res_i[p].lq.idx == head_i.idx) met_o.oldest = '0;
    end
  end

  always_ff @(posedge clk_i)
    if (!rst_ni) begin
      l1_q <= '0;
      llc_q <= '0;
      peer_q <= '0;
    end else begin
      l1_q <= Forgets && !keep_i ? '0 : (l1_q | l1_set) & ~gone_i;
      llc_q <= Forgets && !keep_i ? '0 : (llc_q | llc_set) & ~gone_i;
      peer_q <= Forgets && !keep_i ? '0 : (peer_q | peer_set) & ~gone_i;
    end
endmodule
