// Registers that order all units to drop instructions and the front end to restart. Latency: one cycle.
//
// Sources: the ROB's head (trap, replay, flush), which kills everything, and branches found mispredicted in EX, of
// which the oldest wins. squash_o and redirect_o are valid in the same cycle.
module squash_unit
  import core_pkg::*;
  import port_pkg::*;
(
  input  logic clk_i,
  input  logic rst_ni,
  // head of the ROB
  input  logic all_i,
  input  rob_idx_t all_rob_i,
  input  word_t all_pc_i,
  input  ftq_idx_t all_ftq_i,
  input  logic [5:0] all_offset_i,
  input  logic all_invalidate_i,
  // EX
  input  resolve_t resolve_i [BranchPorts],
  output snapshot_t read_id_o,       // the branch whose queue tails are needed
  input  lq_idx_t read_lq_i,
  input  sq_idx_t read_sq_i,
  output squash_t squash_o,
  output redirect_t redirect_o
);
  /* verilator lint_off UNUSEDSIGNAL */  // a misprediction is valid
  resolve_t oldest;
  /* verilator lint_on UNUSEDSIGNAL */
  always_comb begin
    oldest = resolve_i[0];
    for (int p = 1; p < BranchPorts; p++)
      if (resolve_i[p].mispredict && (!oldest.mispredict || rob_older(resolve_i[p].rob, oldest.rob)))
        oldest = resolve_i[p];
  end
  assign read_id_o = oldest.snapshot;

  always_ff @(posedge clk_i) begin
    squash_o.valid <= rst_ni && (all_i || oldest.mispredict);
    redirect_o.valid <= rst_ni && (all_i || oldest.mispredict);
    squash_o.all <= all_i;
    squash_o.rob <= all_i ? all_rob_i : oldest.rob;
    squash_o.snapshot <= oldest.snapshot;
    squash_o.lq_tail <= read_lq_i;
    squash_o.sq_tail <= read_sq_i;
    redirect_o.pc <= all_i ? all_pc_i : oldest.target;
    redirect_o.ftq <= all_i ? all_ftq_i : oldest.ftq;
    redirect_o.branch <= !all_i;
    redirect_o.taken <= !all_i && oldest.taken;
    redirect_o.offset <= all_i ? all_offset_i : oldest.offset;
    redirect_o.icache_invalidate <= all_i && all_invalidate_i;
  end
endmodule
