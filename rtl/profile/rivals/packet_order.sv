// Which packets dispatch: finds the fetched packets again among the instructions that dispatch, by the commit bundle
// alone.
//
// A core that tags at fetch has this for a bit beside each entry of its fetch buffer; a bundle does not say which
// packet an instruction came with. Packets dispatch in the order in which they were fetched, so the first instruction
// of the oldest is the next that dispatches with its address. A redirect drops all of them, and a packet fetched in its
// cycle. Latency: none.
module packet_order
  import config_pkg::*;
  import records_pkg::*;
  import rival_pkg::*;
(
  input  logic                 clk_i,
  input  logic                 rst_ni,
  input  commit_bundle_t       bundle_i,
  output logic [CoreWidth-1:0] begins_o,  // slot i dispatches the first instruction of a packet
  // packets behind those that begin in this cycle, without the one fetched in it
  output logic [$clog2(FtqEntries+1)-1:0] left_o,
  output logic                 dropped_o  // they are dropped, with that one
);
  localparam int unsigned Depth = FtqEntries;  // packets between fetch and dispatch
  typedef logic [$clog2(Depth+1)-1:0] packets_t;
  typedef logic [$clog2(Depth)-1:0] index_t;
  logic [63:0] pc_q [Depth];
  index_t oldest_q, oldest, next;
  packets_t count_q, left;

  function automatic index_t after(input index_t index);
    after = 32'(index) == Depth - 1 ? '0 : index + index_t'(1);
  endfunction

  // Slots dispatch from the first on, without a gap.
  always_comb begin
    begins_o = '0;
    left = count_q;
    oldest = oldest_q;
    if (bundle_i.dispatch_valid != '0) begin
      for (int i = 0; i < CoreWidth; i++) begin
        if (bundle_i.dispatch_valid[i] && left != '0 && pc_q[oldest] == bundle_i.dispatch_pc[i]) begin
          begins_o[i] = 1'b1;
          left = left - packets_t'(1);
          oldest = after(oldest);
        end
      end
    end
  end

  logic [$clog2(Depth):0] sum;
  assign sum = ($clog2(Depth) + 1)'(oldest) + ($clog2(Depth) + 1)'(left);
  assign next = index_t'(32'(sum) >= Depth ? sum - ($clog2(Depth) + 1)'(Depth) : sum);
  assign dropped_o = bundle_i.redirect || rival_clears(bundle_i);
  assign left_o = left;

  always_ff @(posedge clk_i) begin
    if (!rst_ni || dropped_o) count_q <= '0;
    else count_q <= left + packets_t'(bundle_i.fetch_valid);
    if (!rst_ni) oldest_q <= '0;
    else oldest_q <= oldest;
    if (bundle_i.fetch_valid && !dropped_o) pc_q[next] <= bundle_i.fetch_pc;
  end

  `include "assert.svh"
  `ASSERT(HasRoom, !bundle_i.fetch_valid || dropped_o || 32'(left) < Depth)
endmodule
