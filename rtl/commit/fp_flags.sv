// Exception flags of floating-point instructions, from completion to commit.
//
// One entry for each of the ROB's: written at completion, read when its instruction commits. What commits accrues in
// fflags and makes the floating-point state dirty.
module fp_flags
  import config_pkg::*;
  import core_pkg::*;
  import fp_pkg::*;
  import port_pkg::*;
  import decode_pkg::*;
  import rob_pkg::*;
#(
  localparam int unsigned Sources = 2 * FpArrays
) (
  input  logic clk_i,
  // completion
  input  logic [Sources-1:0] done_i,
  input  rob_idx_t done_rob_i [Sources],
  input  fp_flags_t flags_i [Sources],
  // commit, in age order from head_i on
  input  rob_idx_t head_i,
  input  logic [CoreWidth-1:0] com_fp_i,         // floating-point arithmetic commits
  input  logic [CoreWidth-1:0] com_pd_valid_i,
  input  areg_t com_rd_i [CoreWidth],
  output fp_flags_t accrue_o,
  output logic dirty_o
);
  fp_flags_t flags_q [RobEntries];

  always_ff @(posedge clk_i)
    for (int s = 0; s < Sources; s++) if (done_i[s]) flags_q[done_rob_i[s].idx] <= flags_i[s];

  always_comb begin
    /* verilator lint_off UNUSEDSIGNAL */  // its wrap bit has no say
    automatic rob_idx_t entry;
    /* verilator lint_on UNUSEDSIGNAL */
    accrue_o = '0;
    dirty_o = 1'b0;
    for (int k = 0; k < CoreWidth; k++) begin
      entry = rob_add(head_i, k);
      if (com_fp_i[k]) accrue_o |= flags_q[entry.idx];
      if (com_pd_valid_i[k] && is_f(com_rd_i[k])) dirty_o = 1'b1;
    end
    if (accrue_o != '0) dirty_o = 1'b1;
  end
endmodule
