// pmu with its records as plain ports.
module pmu_tb
  import config_pkg::*;
  import events_pkg::*;
  import records_pkg::*;
  import core_pkg::*;
(
  input  logic        clk_i,
  input  logic        rst_ni,
  output logic [3:0]  width_o,
  output logic [5:0]  counters_o,
  // bundle
  input  logic [7:0]  commit_i,
  input  logic [7:0]  flush_i,
  input  logic [15:0] psv_i [8],
  input  logic [31:0] insn_i [8],
  input  logic        exception_i,
  input  logic        interrupt_i,
  input  logic        replay_i,
  input  logic [15:0] exception_psv_i,
  input  logic [1:0]  state_i,
  input  logic [1:0]  priv_i,
  input  logic [7:0]  first_i,       // micro-ops that begin an instruction
  // ... and of dispatch
  input  logic [2:0]  oldest_i,
  input  logic        rob_empty_i,
  input  logic        redirect_i,
  input  logic [7:0]  dispatch_i,
  input  logic [7:0]  occupied_i,    // slots that hold an instruction
  // of a coherent core: bit i is the event of number 32 + i
  input  logic [8:0]  coherence_i,
  // CSRs
  input  logic [11:0] addr_i,
  input  logic        write_i,
  input  logic [63:0] wdata_i,
  output logic [63:0] rdata_o,
  input  logic [11:0] host_addr_i,
  output logic [63:0] host_rdata_o,
  input  logic [63:0] period_i,      // written where they change: they stand from the next cycle on
  input  logic        golden_i,
  input  logic [5:0]  jitter_bits_i,
  input  logic        seed_valid_i,
  input  logic [31:0] seed_i,
  output logic        lcofi_o,
  output logic        trigger_o,
  output logic        announce_o,
  output logic        reads_o,
  output logic        near_o
);
  csr_req_t req;
  commit_bundle_t bundle;
  assign width_o = 4'(CoreWidth);
  assign counters_o = 6'(HpmCounters);
  assign req = '{addr: addr_i, write: write_i, wdata: wdata_i};
  always_comb begin
    bundle = '0;
    bundle.commit = commit_i[CoreWidth-1:0];
    bundle.valid = commit_i[CoreWidth-1:0];
    bundle.first = first_i[CoreWidth-1:0];
    bundle.priv = priv_i;
    bundle.flush = flush_i[CoreWidth-1:0];
    bundle.exception = exception_i;
    bundle.interrupt = interrupt_i;
    bundle.replay = replay_i;
    bundle.exception_psv = exception_psv_i[PsvBits-1:0];
    bundle.oldest = oldest_i[LaneBits-1:0];
    bundle.rob_empty = rob_empty_i;
    bundle.redirect = redirect_i;
    bundle.dispatch_valid = dispatch_i[CoreWidth-1:0];
    for (int i = 0; i < CoreWidth; i++) begin
      bundle.dispatch_pc[i] = 64'(occupied_i[i]);
      bundle.psv[i] = psv_i[i][PsvBits-1:0];
      bundle.insn[i] = insn_i[i];
    end
  end
  profile_pkg::coherence_t coherence;
  assign coherence = '{
    snoop: coherence_i[0], snoop_hit: coherence_i[1], line_lost: coherence_i[2], upgrade: coherence_i[3],
    refused: coherence_i[4], waits: coherence_i[5], replay_order: coherence_i[6], replay_snoop: coherence_i[7],
    replay_page: coherence_i[8]
  };
  // As tip_csrs has it: a write is done in the cycle after its own.
  logic [63:0] period_q, late_period_q;
  logic        golden_q, late_golden_q, seed_valid_q, changed;
  logic [5:0]  jitter_bits_q, late_jitter_bits_q;
  logic [31:0] seed_q;
  assign changed = {late_period_q, late_golden_q, late_jitter_bits_q} != {period_q, golden_q, jitter_bits_q};
  always_ff @(posedge clk_i) begin
    {late_period_q, late_golden_q, late_jitter_bits_q} <= {period_i, golden_i, jitter_bits_i};
    {period_q, golden_q, jitter_bits_q} <= {late_period_q, late_golden_q, late_jitter_bits_q};
    seed_valid_q <= rst_ni && seed_valid_i;
    seed_q <= seed_i;
  end
  pmu u_pmu (
    .clk_i(clk_i), .rst_ni(rst_ni), .bundle_i(bundle), .coherence_i(coherence), .state_i(state_e'(state_i)),
    .req_i(req), .rdata_o(rdata_o), .period_i(period_q),
    .golden_i(golden_q), .jitter_bits_i(jitter_bits_q), .draws_i(!golden_q && jitter_bits_q != '0), .changed_i(changed),
    .seed_valid_i(seed_valid_q), .seed_i(seed_q), .lcofi_o(lcofi_o), .trigger_o(trigger_o), .announce_o(announce_o),
    .reads_o(reads_o), .near_o(near_o)
  );
  // What the harness reads.
  assign host_rdata_o = u_pmu.read(host_addr_i);
endmodule
