// Stands for pmu_events where only what the PMU does with the hits matters: any hits of the existing events,
// taken from inputs that nobody else reads, and different ones where they are not wanted; none of the others.
// (scripts/mutate/equivalence.py: faster than the real one, and true of it.)
module pmu_events
  import config_pkg::*;
  import events_pkg::*;
  import records_pkg::*;
(
  /* verilator lint_off UNUSEDSIGNAL */  // any hits
  input  logic                   clk_i,
  input  logic                   rst_ni,
  input  commit_bundle_t         bundle_i,
  input  profile_pkg::coherence_t coherence_i,
  input  state_e                 state_i,
  input  logic [PmuEvents-1:0]   wanted_i,
  /* verilator lint_on UNUSEDSIGNAL */
  output logic [CoreWidth:0]     hits_o [PmuEvents]
);
  logic [127:0] any;
  assign any = {bundle_i.pc[1], bundle_i.pc[0]};
  for (genvar e = 0; e < PmuEvents; e++) begin : gen_event
    localparam bit There = (e >= PmuCycles && e <= PmuRecoveryBranch) || (e >= PmuTea && e < PmuTea + PsvBits) ||
        (e >= PmuClears && e <= PmuRecoveryClear);
    assign hits_o[e] = There ? any[(4 * e) % 64 +: CoreWidth + 1] ^ {CoreWidth + 1{!wanted_i[e]}} : '0;
  end
endmodule
