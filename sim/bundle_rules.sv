// Rules that every commit bundle keeps, whatever core it comes from (docs/guide/integration.md, "What must always
// hold").
//
// Bind it to what drives the bundle. broken_o[n]: rule n is broken in this cycle, rules 4, 6 and 7 together with the
// cycle before. Combinational; asserted once a cycle.
module bundle_rules
  import config_pkg::*;
  import records_pkg::*;
(
  input  logic           clk_i,
  input  logic           rst_ni,
  input  commit_bundle_t bundle_i,
  output logic [7:1]     broken_o
);
  typedef logic [LaneBits-1:0] lane_t;
  logic started_q;  // the registers below hold a cycle
  logic empty_q, must_empty_q, dispatch_q;
  logic [63:0] dispatch_pc_q;
  logic flushes, gap, not_youngest;

  function automatic lane_t next_lane(input lane_t lane);
    next_lane = (32'(lane) == CoreWidth - 1) ? '0 : lane + lane_t'(1);
  endfunction

  // From the oldest lane on: nothing commits past one that does not, nor past one that flushes.
  always_comb begin
    automatic lane_t lane;
    automatic logic stopped;
    flushes = 1'b0;
    gap = 1'b0;
    not_youngest = 1'b0;
    lane = bundle_i.oldest;
    stopped = 1'b0;
    if (bundle_i.commit != '0) begin
      for (int k = 0; k < CoreWidth; k++) begin
        if (bundle_i.commit[lane]) begin
          gap |= stopped || !bundle_i.valid[lane];
          not_youngest |= flushes;
          flushes |= bundle_i.flush[lane];
        end else stopped = 1'b1;
        lane = next_lane(lane);
      end
    end
  end

  assign broken_o[1] = bundle_i.rob_empty ? bundle_i.valid != '0 : !bundle_i.valid[bundle_i.oldest];
  assign broken_o[2] = gap;
  assign broken_o[3] = bundle_i.exception &&
      (bundle_i.rob_empty || bundle_i.commit != '0 || bundle_i.exception_pc != bundle_i.pc[bundle_i.oldest]);
  assign broken_o[4] = started_q && must_empty_q && !bundle_i.rob_empty;
  assign broken_o[5] = not_youngest;
  assign broken_o[6] = started_q && empty_q && dispatch_q &&
      (bundle_i.rob_empty || bundle_i.pc[bundle_i.oldest] != dispatch_pc_q);
  assign broken_o[7] = started_q && empty_q && !dispatch_q && !bundle_i.rob_empty;

  always_ff @(posedge clk_i) begin
    if (!rst_ni) started_q <= 1'b0;
    else started_q <= 1'b1;
    empty_q <= bundle_i.rob_empty;
    must_empty_q <= bundle_i.exception || flushes;
    dispatch_q <= bundle_i.dispatch_valid[0];
    dispatch_pc_q <= bundle_i.dispatch_pc[0];
  end

  `include "assert.svh"
  `ASSERT(Empty, !broken_o[1])
  `ASSERT(CommitsOldest, !broken_o[2])
  `ASSERT(ExceptionAlone, !broken_o[3])
  `ASSERT(EmptyAfterFlush, !broken_o[4])
  `ASSERT(FlushIsYoungest, !broken_o[5])
  `ASSERT(DispatchedIsOldest, !broken_o[6])
  `ASSERT(FilledByDispatch, !broken_o[7])
endmodule
