// Offending Instruction Register: the youngest instruction of the last cycle in which any left the ROB, by committing
// or by raising an exception (design: TIP, MICRO 2021, section 3).
//
// Latency: oir_o names what left in EARLIER cycles, which is what an empty ROB is to be blamed on in this one.
module oir_update
  import config_pkg::*;
  import events_pkg::*;
  import records_pkg::*;
(
  input  logic           clk_i,
  input  logic           rst_ni,
  /* verilator lint_off UNUSEDSIGNAL */  // one record for all observers; this one reads what leaves the ROB
  input  commit_bundle_t bundle_i,
  /* verilator lint_on UNUSEDSIGNAL */
  output oir_t           oir_o
);
  oir_t oir_q;

  // Age order is oldest, oldest + 1, ... modulo the width, and commits have no gap in it (bundle_rules): the youngest
  // is the one whose successor does not commit, or is the oldest. By lane, so that lanes are chosen by an and-or.
  function automatic int unsigned after(input int unsigned lane);
    after = lane == CoreWidth - 1 ? 0 : lane + 1;
  endfunction

  logic [CoreWidth-1:0] youngest;
  logic [63:0] pc;
  psv_t psv;
  always_comb begin
    youngest = '0;
    pc = '0;
    psv = '0;
    if (bundle_i.commit != '0) begin
      for (int unsigned i = 0; i < CoreWidth; i++) begin
        youngest[i] = bundle_i.commit[i] && (!bundle_i.commit[after(i)] || 32'(bundle_i.oldest) == after(i));
        if (youngest[i]) begin
          pc |= bundle_i.pc[i];
          psv |= bundle_i.psv[i];
        end
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
      oir_q <= '{valid: 1'b1, pc: pc, mispredict: (bundle_i.mispredict & youngest) != '0,
                 flush: (bundle_i.flush & youngest) != '0, exception: 1'b0, psv: psv,
                 priv: bundle_i.priv, space: bundle_i.space};
    end
  end

  assign oir_o = oir_q;
endmodule
