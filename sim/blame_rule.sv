// Rule 8 of every commit bundle (docs/guide/integration.md, "What must always hold"): a redirect that empties the ROB
// is somebody's doing.
//
// From a redirect until the next instruction dispatches, an empty ROB means that the youngest that has left
// mispredicted, flushed or excepted. An adapter that never sets mispredict, or never flush, breaks this at the first
// such drain, and no rule of sim/bundle_rules.sv: Flushed time would show as Drained, and the Oracle would agree. It
// sees nothing where redirect is not shown.
module blame_rule
  import config_pkg::*;
  import records_pkg::*;
(
  input  logic           clk_i,
  input  logic           rst_ni,
  input  commit_bundle_t bundle_i,
  output logic           broken_o        // in this cycle; combinational
);
  logic redirected_q;  // nothing has dispatched since the front end was redirected
  logic left_q;        // an instruction has left the ROB ...
  logic blamed_q;      // ... the youngest of the last ones with mispredict or flush, or by an exception
  logic blamed;

  always_comb begin
    automatic logic [LaneBits-1:0] lane;
    blamed = bundle_i.exception;
    lane = bundle_i.oldest;
    for (int k = 0; k < CoreWidth; k++) begin
      if (bundle_i.commit[lane]) blamed = bundle_i.mispredict[lane] || bundle_i.flush[lane];
      lane = 32'(lane) == CoreWidth - 1 ? '0 : lane + LaneBits'(1);
    end
  end

  assign broken_o = left_q && !blamed_q && (bundle_i.redirect || redirected_q) && bundle_i.rob_empty;

  always_ff @(posedge clk_i) begin
    if (!rst_ni) {redirected_q, left_q} <= '0;
    else begin
      redirected_q <= (bundle_i.redirect || redirected_q) && bundle_i.dispatch_valid == '0;
      left_q <= left_q || bundle_i.commit != '0 || bundle_i.exception;
    end
    if (bundle_i.commit != '0 || bundle_i.exception) blamed_q <= blamed;
  end

  `include "assert.svh"
  `ASSERT(RedirectIsBlamed, !broken_o)
endmodule
