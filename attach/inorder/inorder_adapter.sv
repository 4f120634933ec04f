// Commit bundle of the in-order core. Combinational but for one register (rule 4), and the vectors, which are kept
// beside the core.
module inorder_adapter
  import config_pkg::*;
  import events_pkg::*;
  import records_pkg::*;
  import inorder_pkg::*;
(
  input  logic           clk_i,
  input  logic           rst_ni,
  /* verilator lint_off UNUSEDSIGNAL */  // finished is what valid must not be made of
  input  probe_t         probe_i,
  /* verilator lint_on UNUSEDSIGNAL */
  output commit_bundle_t bundle_o
);
  logic gone_q;  // the cycle before trapped or flushed
  logic dead;    // what is in the scoreboard will not commit
  assign dead = gone_q || probe_i.unwinding;
  always_ff @(posedge clk_i) begin
    if (!rst_ni) gone_q <= 1'b0;
    else gone_q <= bundle_o.exception || (probe_i.retire & probe_i.flush) != '0;
  end

  psv_t [1:0] psv, enters;
  always_comb
    for (int i = 0; i < 2; i++) begin
      enters[i] = '0;
      enters[i][EvDrL1] = probe_i.issue_missed[i];
    end
  psv_table #(.Entries(Entries), .Lanes(2), .Sets(1), .Bits(PsvBits)) u_psv_table (
    .clk_i(clk_i), .enter_i(probe_i.issue), .enter_index_i(probe_i.issue_place), .enter_psv_i(enters),
    .set_i(probe_i.load_missed), .set_index_i(probe_i.load_place), .set_psv_i(psv_t'(1) << EvStL1),
    .read_index_i(probe_i.place), .psv_o(psv)
  );

  always_comb begin
    automatic logic slot;  // in the order of age
    bundle_o = '0;
    bundle_o.rob_empty = dead || probe_i.occupied == '0;
    bundle_o.valid = dead ? '0 : probe_i.occupied;
    bundle_o.commit = probe_i.retire;
    bundle_o.mispredict = probe_i.mispredict;
    bundle_o.flush = probe_i.flush;
    bundle_o.first = '1;
    bundle_o.pc = probe_i.pc;
    bundle_o.insn = probe_i.insn;
    for (int i = 0; i < 2; i++) begin
      bundle_o.psv[i] = psv[i];
      bundle_o.psv[i][EvFlMb] = probe_i.mispredict[i];
    end
    bundle_o.oldest = '0;  // age order already
    bundle_o.exception = probe_i.trap && !dead;
    bundle_o.interrupt = probe_i.trap_interrupt;
    bundle_o.cause = probe_i.trap_cause;
    bundle_o.exception_pc = probe_i.pc[0];
    bundle_o.exception_psv = bundle_o.psv[0];
    bundle_o.exception_psv[EvFlEx] = 1'b1;
    bundle_o.priv = 2'd3;
    bundle_o.redirect = probe_i.redirect;
    bundle_o.fetch_valid = probe_i.fetched;
    bundle_o.fetch_pc = probe_i.fetched_pc;
    bundle_o.dispatch_rob = probe_i.tail;
    // slots are addresses in the core, ages in the bundle: one that has gone, or is jumped over, leaves no gap
    slot = 1'b0;
    for (int i = 0; i < 2; i++)
      if (probe_i.waiting[i]) begin
        bundle_o.dispatch_valid[slot] = probe_i.issue[i];
        bundle_o.dispatch_pc[slot] = probe_i.issue_pc[i];
        slot = 1'b1;
      end
  end
endmodule
