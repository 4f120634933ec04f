// What each slot of dispatch is used for, as lanes for the counters: top-down's levels 1 and 2 (Yasin, "A Top-Down
// Method for Performance Analysis and Counters Architecture", ISPASS 2014), from the commit bundle alone.
//
//   a slot that      dispatched
//   dispatches
//   is empty         recovery from a redirect to the first instruction that dispatches after it, else
//                    bandwidth where another slot of the cycle has an instruction, else
//                    latency, but memory or core while the ROB stalls: holds instructions, and none commits. Then the
//                    front end may itself be held back by what is freed only at commit, which no bundle shows
//   holds an         recovery in the cycle of a redirect, else
//   instruction      memory or core
//
// Memory is where the ROB stalls and its oldest instruction is a load, a store or an AMO; core has no output: it is
// what is left. A redirect is a clear's when the ROB is cleared in its cycle (an exception, interrupt or replay, or an
// instruction that flushes), or has been and is empty since; else a branch's. Recovery has the kind of the last
// redirect. Combinational but for three flags, which follow the bundle whether anybody counts or not. Without wanted_i
// all outputs are 0. Invariant: no slot has two uses.
module pmu_slots
  import config_pkg::*;
  import records_pkg::*;
(
  input  logic                  clk_i,
  input  logic                  rst_ni,
  /* verilator lint_off UNUSEDSIGNAL */  // one record for all observers; this one reads dispatch, and what holds it up
  input  commit_bundle_t        bundle_i,
  /* verilator lint_on UNUSEDSIGNAL */
  input  logic                  wanted_i,
  output logic [CoreWidth-1:0]  dispatched_o,
  output logic [CoreWidth-1:0]  latency_o,
  output logic [CoreWidth-1:0]  bandwidth_o,
  output logic [CoreWidth-1:0]  memory_o,
  output logic [CoreWidth-1:0]  recovery_branch_o,
  output logic [CoreWidth-1:0]  recovery_clear_o,
  output logic                  branch_redirect_o,
  output logic                  clear_o
);
  typedef logic [CoreWidth-1:0] lanes_t;

  // Loads, stores and AMOs, integer and floating-point; 16-bit forms by quadrant: 0 and 2, but for their ALU
  // instructions and jumps.
  /* verilator lint_off UNUSEDSIGNAL */  // which ones do not ask about other bits
  function automatic logic accesses(input logic [15:0] insn);
  /* verilator lint_on UNUSEDSIGNAL */
    case (insn[1:0])
      2'b11: accesses = insn[6:2] == 5'b00000 || insn[6:2] == 5'b00001 || insn[6:2] == 5'b01000 ||
                        insn[6:2] == 5'b01001 || insn[6:2] == 5'b01011;
      2'b01: accesses = 1'b0;
      default: accesses = insn[14:13] != 2'b00;
    endcase
  endfunction

  logic recovers_q;  // since a redirect nothing has dispatched
  logic by_clear_q;  // ... a clear's
  logic cleared_q;   // nothing has committed since the ROB was cleared

  logic clears, by_clear, lost;
  assign clears = bundle_i.exception || (bundle_i.commit & bundle_i.flush) != '0;
  assign by_clear = bundle_i.redirect ? clears || (cleared_q && bundle_i.rob_empty) : by_clear_q;
  assign lost = (bundle_i.redirect || recovers_q) && bundle_i.dispatch_valid == '0;

  always_ff @(posedge clk_i) begin
    if (!rst_ni) begin
      recovers_q <= 1'b0;
      by_clear_q <= 1'b0;
      cleared_q <= 1'b0;
    end else begin
      recovers_q <= lost;
      by_clear_q <= by_clear;
      cleared_q <= clears || (cleared_q && bundle_i.commit == '0);
    end
  end

  lanes_t empty, held, recovery;
  logic stalls, memory;  // the ROB does; on an access
  always_comb begin
    empty = '0;
    held = '0;
    recovery = '0;
    stalls = 1'b0;
    memory = 1'b0;
    if (wanted_i) begin
      for (int k = 0; k < CoreWidth; k++) begin
        if (!bundle_i.dispatch_valid[k]) begin
          if (bundle_i.dispatch_pc[k] == '0) empty[k] = 1'b1;
          else held[k] = 1'b1;
        end
      end
      recovery = (lost ? empty : '0) | (bundle_i.redirect ? held : '0);
      stalls = !bundle_i.rob_empty && bundle_i.commit == '0;
      memory = stalls && accesses(bundle_i.insn[bundle_i.oldest][15:0]);
    end
  end

  assign dispatched_o = wanted_i ? bundle_i.dispatch_valid : '0;
  assign latency_o = &empty && !lost && !stalls ? '1 : '0;
  assign bandwidth_o = &empty || lost ? '0 : empty;
  assign memory_o = !memory ? '0 : &empty ? (lost ? '0 : '1) : bundle_i.redirect ? '0 : held;
  assign recovery_branch_o = by_clear ? '0 : recovery;
  assign recovery_clear_o = by_clear ? recovery : '0;
  assign branch_redirect_o = wanted_i && bundle_i.redirect && !by_clear;
  assign clear_o = wanted_i && clears;

  `include "assert.svh"
  for (genvar k = 0; k < CoreWidth; k++) begin : gen_slot
    `ASSERT(OneUse, 3'(dispatched_o[k]) + 3'(latency_o[k]) + 3'(bandwidth_o[k]) + 3'(memory_o[k]) +
            3'(recovery_branch_o[k]) + 3'(recovery_clear_o[k]) <= 3'd1)
  end
endmodule
