// Watches the tile and tells C what left the core: bundle, retired instructions, sample selection.
//
// Reads signals of the core by name: it belongs to the simulation and must not shape the design's ports. A cycle
// without a call was equal to the one before it, and C accounts for it.
`define CORE sim_top.u_tile.u_core
`define COMMIT `CORE.u_commit_stage
`define SYSTEM `CORE.u_system_unit
`define SIGNALS sim_top.u_signals
module monitor
  import config_pkg::*;
  import records_pkg::*;
  import core_pkg::*;
  import dpi_pkg::*;
  import uop_pkg::*;
(
  input  logic           clk_i,
  input  logic           rst_ni,
  input  commit_bundle_t bundle_i,
  input  sample_t        sample_i,
  input  oir_t           oir_i,
  input  logic           trigger_i,        // of the harness's unit: it takes a sample, or counts one more of what it holds
  input  logic           sample_taken_i,
  input  logic           sample_ready_i,
  output word_t          cycle_o,         // cycles since reset
  output word_t          instructions_o   // instructions committed
);
  typedef logic [LaneBits-1:0] lane_t;
  options_t options;
  word_t tohost_address;
  initial begin
    options = options_t'(4'(tipoff_options()));
    tohost_address = tipoff_tohost_address();
  end

  commit_bundle_t bundle_q;
  sample_t sample_q;
  oir_t oir_q;
  logic started_q;  // the first cycle has been passed on
  logic told_q;     // the cycle before has been passed on
  logic [4:0] fflags, fflags_q;  // accrued floating-point exceptions, now and as passed last
  assign fflags = `SYSTEM.u_csr_file.fflags_q;

  function automatic lane_t next_lane(input lane_t lane);
    next_lane = (32'(lane) == CoreWidth - 1) ? '0 : lane + lane_t'(1);
  endfunction

  // Stores of a commit group leave the store queue in age order: entry n of this group.
  function automatic logic [SqBits-2:0] store_entry(input int unsigned n);
    int unsigned idx;
    idx = 32'(`CORE.u_lsu.u_store_queue.sq_commit_q.idx) + n;
    if (idx >= SqEntries) idx -= SqEntries;
    store_entry = (SqBits - 1)'(idx);
  endfunction

  function automatic void tell_store(input word_t addr, input word_t data, input logic [1:0] size);
    if (options.retire) tipoff_retire_store(addr, data, int'(size));
    if (addr[63:3] == tohost_address[63:3] && tohost_address != '0) tipoff_tohost(addr, data, int'(size));
  endfunction

  function automatic void tell_retired();
    lane_t lane;
    int unsigned stores;
    logic [SqBits-2:0] entry;
    logic [CoreWidth-1:0] commit;  // a lane of these few bits is found quicker than one of the bundle
    commit = bundle_i.commit;
    lane = bundle_i.oldest;
    stores = 0;
    for (int k = 0; k < CoreWidth; k++) begin
      if (commit[lane]) begin
        if (options.retire) begin
          tipoff_retire(int'(lane), int'(`COMMIT.window[lane].info.pd_valid), int'(`COMMIT.window[lane].info.rd),
              `CORE.u_regfile.regs_q[`COMMIT.window[lane].info.pd]);
        end
        if (bundle_i.insn[lane][6:0] == 7'h2f) begin
          if (`CORE.u_lsu.u_amo.last_amo_wrote_q) begin
            tell_store(`CORE.u_lsu.u_amo.last_amo_addr_q, `CORE.u_lsu.u_amo.last_amo_data_q, `CORE.u_lsu.u_amo.last_amo_size_q);
          end
        end else if (`COMMIT.window[lane].info.is_store) begin
          entry = store_entry(stores);
          stores++;
          tell_store(`CORE.u_lsu.u_store_queue.sq_addr_q[entry], `CORE.u_lsu.u_store_queue.sq_data_q[entry],
              `CORE.u_lsu.u_store_queue.sq_size_q[entry]);
        end
      end
      lane = next_lane(lane);
    end
    if (options.retire && `SYSTEM.csr.write) tipoff_retire_csr(int'(`SYSTEM.csr.addr), `SYSTEM.csr_written);
  endfunction

  // ---- stages ----
  word_t fetched_q [FtqEntries];  // cycle in which the packet was pushed
  always_ff @(posedge clk_i)
    if (options.stages && `CORE.u_frontend.push) fetched_q[`CORE.u_frontend.push_idx] <= cycle_o;

  logic [FpArrays-1:0] fp_issue;
  rob_idx_t fp_issue_rob [FpArrays];
  if (HasFp) begin : gen_fp_issue
    for (genvar p = 0; p < FpArrays; p++) begin : gen_port
      assign fp_issue[p] = `CORE.u_fp_cluster.gen_fp.rr_valid[p];
      assign fp_issue_rob[p] = `CORE.u_fp_cluster.gen_fp.rr_uop[p].rob;
    end
  end else begin : gen_no_fp_issue
    assign fp_issue = '0;
    for (genvar p = 0; p < FpArrays; p++) begin : gen_port
      assign fp_issue_rob[p] = '0;
    end
  end

  function automatic void tell_stages();
    if (`CORE.squash.valid) tipoff_stage_squash(int'(`CORE.squash.all), int'(`CORE.squash.rob));
    for (int i = 0; i < CoreWidth; i++)
      if (`CORE.dis.fire[i])
        tipoff_stage_dispatch(int'(`CORE.place[i].rob), fetched_q[`CORE.dec_uop[i].ftq], `CORE.dec_pc[i], `CORE.dec_insn[i]);
    for (int p = 0; p < IntPorts; p++) if (`CORE.u_int_cluster.rr_valid[p]) tipoff_stage_issue(int'(`CORE.u_int_cluster.rr_uop[p].rob));
    for (int p = 0; p < MemPorts; p++) if (`CORE.mem_ex[p].valid && `CORE.mem_ex[p].part != PART_DATA) tipoff_stage_issue(int'(`CORE.mem_ex[p].rob));
    for (int p = 0; p < FpArrays; p++) if (fp_issue[p]) tipoff_stage_issue(int'(fp_issue_rob[p]));
    for (int d = 0; d < Dones; d++) if (`COMMIT.done[d]) tipoff_stage_done(int'(`COMMIT.done_rob[d]));
  endfunction

  // Whether there is anything to tell. Nested: what stands to the right of an || is worked out all the same; what happens
  // most is asked first.
  function automatic logic news();
    news = 1'b0;
    if (options.bundle) begin
      if (bundle_i.fetch_valid || bundle_i.redirect) news = 1'b1;
      else if (!started_q || options.stages || `SIGNALS.wanted != '0 || bundle_i.commit != '0 || bundle_i.exception ||
               bundle_i.dispatch_valid != '0) news = 1'b1;
      else if (bundle_i != bundle_q) news = 1'b1;
      else if (options.retire && fflags != fflags_q) news = 1'b1;
      else if (options.select) news = sample_i != sample_q || oir_i != oir_q;
    end
  endfunction

  always_ff @(posedge clk_i) begin
    automatic logic tell;
    if (!rst_ni) begin
      told_q <= 1'b1;
      started_q <= 1'b0;
      cycle_o <= '0;
      instructions_o <= '0;
    end else begin
      tell = news();
      if (tell && !told_q) tipoff_quiet(cycle_o);
      told_q <= tell;
      if (bundle_i.commit != '0) tell_retired();
      if (`CORE.raise.valid) begin
        if (options.retire && !`CORE.raise.replay) begin
          tipoff_trap(int'(`CORE.raise.irq), int'(`CORE.raise.cause), `CORE.raise.tval, `CORE.raise.epc);
        end
      end
      if (tell) begin
        if (options.stages) tell_stages();
        if (!started_q || fflags != fflags_q) begin
          if (options.retire) tipoff_fflags(int'(fflags));
        end
        if (options.select) tipoff_selection(sample_i, oir_i);
        if (`SIGNALS.wanted != '0) `SIGNALS.tell();
        tipoff_bundle(cycle_o, bundle_i);
        bundle_q <= bundle_i;
        sample_q <= sample_i;
        oir_q <= oir_i;
        fflags_q <= fflags;
      end
      if (trigger_i) tipoff_trigger(cycle_o, int'(sample_taken_i));
      if (sample_ready_i) tipoff_sample(cycle_o);
      started_q <= 1'b1;
      cycle_o <= cycle_o + 64'd1;
      instructions_o <= instructions_o + 64'($countones(bundle_i.commit));
    end
  end
endmodule
