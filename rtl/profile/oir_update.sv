// Offending Instruction Register: the youngest instruction of the last cycle in which any left the ROB, by committing
// or by raising an exception (design: TIP, MICRO 2021, section 3).
//
// Latency: oir_o names what left in EARLIER cycles, which is what an empty ROB is to be blamed on in this one.
module oir_update
  import config_pkg::*;
  import records_pkg::*;
(
  input  logic           clk_i,
  input  logic           rst_ni,
  /* verilator lint_off UNUSEDSIGNAL */  // one record for all observers; this one reads what leaves the ROB
  input  commit_bundle_t bundle_i,
  /* verilator lint_on UNUSEDSIGNAL */
  output oir_t           oir_o
);
  typedef logic [LaneBits-1:0] lane_t;
  lane_t youngest;
  oir_t oir_q;

  // Age order is oldest, oldest + 1, ... modulo the width: the last committing one on that way.
  always_comb begin
    automatic lane_t lane;
    youngest = bundle_i.oldest;
    lane = bundle_i.oldest;
    if (bundle_i.commit != '0) begin
      for (int k = 0; k < CoreWidth; k++) begin
        if (bundle_i.commit[lane]) youngest = lane;
        lane = (32'(lane) == CoreWidth - 1) ? '0 : lane + lane_t'(1);
      end
    end
  end

  always_ff @(posedge clk_i) begin
    if (!rst_ni) begin
      oir_q <= '0;
    end else if (bundle_i.exception) begin
      oir_q <= '{valid: 1'b1, pc: bundle_i.exception_pc, mispredict: 1'b0, flush: 1'b0, exception: 1'b1,
                 psv: bundle_i.exception_psv, priv: bundle_i.priv, space: bundle_i.space};
    end else if (bundle_i.commit != '0) begin
      oir_q <= '{valid: 1'b1, pc: bundle_i.pc[youngest], mispredict: bundle_i.mispredict[youngest],
                 flush: bundle_i.flush[youngest], exception: 1'b0, psv: bundle_i.psv[youngest],
                 priv: bundle_i.priv, space: bundle_i.space};
    end
  end

  assign oir_o = oir_q;
endmodule
