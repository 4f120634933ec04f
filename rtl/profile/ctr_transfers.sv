// Transfers of control in program order, from the commit bundle alone.
//
// A transfer is known once its successor is at the head of the ROB: of all but the youngest that commits in a
// cycle, at once; the youngest waits for its successor (in waiting_q), as a trap waits for its handler's first
// instruction. So it comes before that instruction leaves, and before software can ask. transfer_o[0] is the one that
// has waited; [k+1] comes from lane k in the order of age. A branch to the next instruction counts as one that is not
// taken. Invariant: one waits at most, and it is older than all of the cycle.
module ctr_transfers
  import config_pkg::*;
  import records_pkg::*;
  import core_pkg::*;
  import ctr_pkg::*;
#(
  parameter bit Clears = 1'b1  // sctrclr is recorded
) (
  input  logic           clk_i,
  input  logic           rst_ni,
  input  commit_bundle_t bundle_i,
  input  control_t       control_i,   // without a mode that is recorded no transfer counts
  output transfer_t      transfer_o [CoreWidth+1],
  output word_t          pc_o [CoreWidth],  // by age
  output logic           any_o,
  output logic           waits_o      // one of this cycle waits from now on
);
  typedef logic [LaneBits-1:0] lane_t;
  transfer_t waiting_q, waiting;  // its target comes later
  logic waits_long_q, waits_long; // it has four bytes
  logic [CoreWidth-1:0] commits;  // by age
  lane_t lanes [CoreWidth];

  function automatic lane_t next_lane(input lane_t lane);
    next_lane = 32'(lane) == CoreWidth - 1 ? '0 : lane + lane_t'(1);
  endfunction

  // With its successor a branch that goes on behind itself is not taken.
  function automatic logic [3:0] type_with(input logic [3:0] kind, input logic goes_on);
    type_with = kind == TypeTaken && goes_on ? TypeNotTaken : kind;
  endfunction
  function automatic qualified_t qualify_with(input logic [3:0] kind, input logic goes_on, input logic [1:0] priv,
                                              input logic [1:0] to_priv);
    qualify_with = qualify(control_i, kind, priv, to_priv);
    if (kind == TypeTaken && goes_on) qualify_with = qualify(control_i, TypeNotTaken, priv, to_priv);
  endfunction

  // from + 4 (long) or + 2 is to? Bit by bit, without a carry: the one that comes into each bit is what that bit of the
  // sum needs, and what leaves it is known by what it needs.
  function automatic logic is_behind(input word_t from, input logic long, input word_t to);
    word_t size, either, needs, leaves;
    size = long ? 64'd4 : 64'd2;
    either = from ^ size;
    needs = either ^ to;
    leaves = (from & size) | (either & ~to);
    is_behind = needs == leaves << 1;
  endfunction

  logic trap;
  assign trap = bundle_i.exception && !bundle_i.replay;

  always_comb begin
    automatic lane_t lane = bundle_i.oldest;
    for (int k = 0; k < CoreWidth; k++) begin
      lanes[k] = lane;
      pc_o[k] = bundle_i.pc[lane];
      commits[k] = bundle_i.commit[lane];
      lane = next_lane(lane);
    end
  end

  // Of each lane, before they are put in order: what it is, and whether the next one follows it in memory.
  logic [3:0] kind [CoreWidth];
  logic [CoreWidth-1:0] long, clears, goes_on;
  qualified_t is [CoreWidth];
  logic [CoreWidth-1:0] behind_waiting;  // the lane follows the one that waits, in memory
  logic on, waited_goes_on;
  assign on = control_i.modes != '0;
  always_comb for (int l = 0; l < CoreWidth; l++)
    behind_waiting[l] = waiting_q.valid && is_behind(waiting_q.source, waits_long_q, bundle_i.pc[l]);
  assign waited_goes_on = behind_waiting[bundle_i.oldest];
  always_comb
    for (int l = 0; l < CoreWidth; l++) begin
      kind[l] = '0;
      {long[l], clears[l], goes_on[l]} = '0;
      is[l] = '0;
      if (bundle_i.commit[l]) begin
        kind[l] = type_of(bundle_i.insn[l]);
        long[l] = bundle_i.insn[l][1:0] == 2'b11;
        clears[l] = bundle_i.insn[l] == Sctrclr;
        goes_on[l] = is_behind(bundle_i.pc[l], long[l], bundle_i.pc[(l + 1) % CoreWidth]);
        is[l] = qualify_with(kind[l], goes_on[l], bundle_i.priv, bundle_i.priv);
      end
    end

  always_comb begin
    automatic transfer_t own = '0;
    for (int i = 0; i <= CoreWidth; i++) transfer_o[i] = '0;
    waiting = '0;
    waits_long = 1'b0;
    any_o = 1'b0;
    if (waiting_q.valid && bundle_i.valid[bundle_i.oldest]) begin
      transfer_o[0] = waiting_q;
      transfer_o[0].target = bundle_i.pc[bundle_i.oldest];
      transfer_o[0].to_priv = bundle_i.priv;
      transfer_o[0].kind = type_with(waiting_q.kind, waited_goes_on);
      transfer_o[0].is = qualify_with(waiting_q.kind, waited_goes_on, waiting_q.priv, bundle_i.priv);
      any_o = 1'b1;
    end
    if (bundle_i.commit != '0) begin
      for (int k = 0; k < CoreWidth; k++) begin
        if (commits[k]) begin
          own = '0;
          own.source = bundle_i.pc[lanes[k]];
          own.mispredict = bundle_i.mispredict[lanes[k]];
          own.priv = bundle_i.priv;
          own.kind = kind[lanes[k]];
          if (Clears && clears[lanes[k]]) begin
            transfer_o[k+1].valid = 1'b1;
            transfer_o[k+1].clear = 1'b1;
            any_o = 1'b1;
          end else if (on && own.kind != TypeNone) begin
            if (k + 1 < CoreWidth && bundle_i.valid[lanes[(k + 1) % CoreWidth]] && !own.mispredict &&
                !bundle_i.flush[lanes[k]]) begin
              transfer_o[k+1] = own;
              transfer_o[k+1].valid = 1'b1;
              transfer_o[k+1].target = bundle_i.pc[lanes[(k + 1) % CoreWidth]];
              transfer_o[k+1].to_priv = bundle_i.priv;
              transfer_o[k+1].kind = type_with(own.kind, goes_on[lanes[k]]);
              transfer_o[k+1].is = is[lanes[k]];
              any_o = 1'b1;
            end else begin
              waiting = own;
              waiting.valid = 1'b1;
              waits_long = long[lanes[k]];
            end
          end
        end
      end
    end
    if (on && trap) begin
      waiting = '0;
      waiting.valid = 1'b1;
      waiting.source = bundle_i.exception_pc;
      waiting.kind = bundle_i.interrupt ? TypeInterrupt : TypeException;
      waiting.priv = bundle_i.priv;
    end
  end
  assign waits_o = waiting.valid;

  always_ff @(posedge clk_i) begin
    if (!rst_ni) waiting_q <= '0;
    else if (waiting.valid || transfer_o[0].valid) waiting_q <= waiting;
    if (waiting.valid) waits_long_q <= waits_long;
  end

  `include "assert.svh"
  // The waiting transfer goes out before another one waits.
  `ASSERT(OneWaits, !(waiting.valid && waiting_q.valid) || transfer_o[0].valid)
endmodule
