// Directions of the conditional branches on the fetched path, for observers: the predictors keep their own histories.
//
// Speculative as fetch is: a redirect goes back to what was before its packet, and adds the packet's branches up to the
// instruction that redirects. Latency: the history before a packet is known in the packet's cycle.
module branch_history
  import config_pkg::*;
  import core_pkg::*;
  import fetch_pkg::*;
(
  input  logic        clk_i,
  input  logic        rst_ni,
  // F2
  input  logic        push_i,
  input  ftq_idx_t    push_idx_i,
  input  slots_t      branches_i,       // of the packet
  input  logic        taken_i,          // the last of them is
  output directions_t history_o,        // before the packet
  // redirect
  input  redirect_t   redirect_i,
  input  logic        conditional_i     // by a conditional branch
);
  directions_t history_q, earlier [FtqEntries];
  slots_t branches [FtqEntries];
  slots_t kept;  // of the redirect's packet: a branch that an interrupt was taken on has not executed
  slot_t last;
  assign last = redirect_i.offset[OffsetBits-1:1];

  always_comb
    for (int unsigned s = 0; s < FetchWidth; s++)
      kept[s] = branches[redirect_i.ftq][s] && (slot_t'(s) < last || (slot_t'(s) == last && redirect_i.branch));

  always_ff @(posedge clk_i) begin
    if (!rst_ni) begin
      history_q <= '0;
    end else begin
      if (redirect_i.valid)
        history_q <= directions_push(earlier[redirect_i.ftq], kept, conditional_i && redirect_i.taken);
      else if (push_i) history_q <= directions_push(history_q, branches_i, taken_i);
    end
    if (push_i) begin
      earlier[push_idx_i] <= history_q;
      branches[push_idx_i] <= branches_i;
    end
  end

  assign history_o = history_q;
endmodule
