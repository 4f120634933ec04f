// Watches the tile and passes to C what left the core: bundle, retired instructions, sample selection.
//
// What leaves is the tile's retire record. Signals of the core are read by name for two things only, which are no
// port's: the accrued floating-point exceptions, and the stages of the pipeline view. The bundle and the selection come
// from sim/bundle_monitor.sv, which this is built on.
`define CORE u_tile.u_core
`define COMMIT `CORE.u_commit_stage
`define SYSTEM `CORE.u_system_unit
`define SIGNALS u_signals
module monitor
  import config_pkg::*;
  import records_pkg::*;
  import core_pkg::*;
  import dpi_pkg::*;
  import port_pkg::*;
  import rvfi_pkg::*;
(
  input  logic           clk_i,
  input  logic           rst_ni,
  input  commit_bundle_t bundle_i,
  input  rvfi_t          rvfi_i,
  input  sample_t        sample_i,
  input  oir_t           oir_i,
  // of the harness's unit: in the cycle before it has taken a sample, or counted one more of what it holds
  input  logic           trigger_i,
  input  logic           sample_taken_i,
  input  logic           sample_ready_i,
  output word_t          cycle_o,         // cycles since reset
  output word_t          instructions_o   // instructions committed
);
  typedef logic [LaneBits-1:0] lane_t;
  /* verilator lint_off UNUSEDSIGNAL */  // the bundle's own monitor reads the others
  options_t options;
  /* verilator lint_on UNUSEDSIGNAL */
  word_t tohost_address;
  initial begin
    options = options_t'(4'(tipoff_options()));
    tohost_address = tipoff_tohost_address();
  end

  logic started, emit;
  logic [4:0] fflags, fflags_q;  // accrued floating-point exceptions, now and as passed last
  assign fflags = `SYSTEM.u_csr_file.fflags_q;

  function automatic lane_t next_lane(input lane_t lane);
    next_lane = (32'(lane) == CoreWidth - 1) ? '0 : lane + lane_t'(1);
  endfunction

  // 1 << log2_bytes bytes are stored.
  function automatic void emit_store(input word_t addr, input word_t data, input int log2_bytes);
    if (options.retire) tipoff_retire_store(addr, data, log2_bytes);
    if (addr[63:3] == tohost_address[63:3] && tohost_address != '0) tipoff_tohost(addr, data, log2_bytes);
  endfunction

  function automatic void emit_retired();
    lane_t lane;
    lane = bundle_i.oldest;
    for (int k = 0; k < CoreWidth; k++) begin
      if (rvfi_i.insn[k].valid) begin
        if (options.retire)
          tipoff_retire(int'(lane), int'(rvfi_i.insn[k].rd_valid), int'({rvfi_i.insn[k].rd_fp, rvfi_i.insn[k].rd_addr}),
                        rvfi_i.insn[k].rd_wdata);
        if (rvfi_i.insn[k].mem_wmask != '0)
          emit_store(rvfi_i.insn[k].mem_addr, rvfi_i.insn[k].mem_wdata, $clog2($countones(rvfi_i.insn[k].mem_wmask)));
      end
      lane = next_lane(lane);
    end
    if (options.retire && rvfi_i.csr.valid) tipoff_retire_csr(int'(rvfi_i.csr.addr), rvfi_i.csr.wdata);
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

  function automatic void emit_stages();
    if (`CORE.squash.valid) tipoff_stage_squash(int'(`CORE.squash.all), int'(`CORE.squash.rob));
    for (int i = 0; i < CoreWidth; i++)
      if (`CORE.dis.fire[i])
        tipoff_stage_dispatch(int'(`CORE.place[i].rob), fetched_q[`CORE.dec_uop[i].ftq], `CORE.dec_pc[i],
                              `CORE.dec_insn[i]);
    for (int p = 0; p < IntPorts; p++) if (`CORE.u_int_cluster.rr_valid[p])
      tipoff_stage_issue(int'(`CORE.u_int_cluster.rr_uop[p].rob));
    for (int p = 0; p < MemPorts; p++) if (`CORE.mem_ex[p].valid && `CORE.mem_ex[p].part != PART_DATA)
      tipoff_stage_issue(int'(`CORE.mem_ex[p].rob));
    for (int p = 0; p < FpArrays; p++) if (fp_issue[p]) tipoff_stage_issue(int'(fp_issue_rob[p]));
    for (int d = 0; d < Dones; d++) if (`COMMIT.done[d]) tipoff_stage_done(int'(`COMMIT.done_rob[d]));
  endfunction

  bundle_monitor #(.Alone(0)) u_bundle (
    .clk_i, .rst_ni, .bundle_i, .sample_i, .oir_i, .trigger_i, .sample_taken_i, .sample_ready_i,
    .more_i(options.stages || `SIGNALS.wanted != '0 || u_life_events.wanted ||
            u_access_events.happens ||
            (options.retire && fflags != fflags_q)),
    .emit_o(emit), .started_o(started), .cycle_o, .instructions_o
  );

  always_ff @(posedge clk_i) begin
    if (rst_ni) begin
      u_bundle.emit_triggers();
      if (emit) u_bundle.open();
      if (bundle_i.commit != '0) emit_retired();
      if (rvfi_i.trap.valid && options.retire)
        tipoff_trap(int'(rvfi_i.trap.intr), int'(rvfi_i.trap.cause), rvfi_i.trap.tval, rvfi_i.trap.pc_rdata);
      if (emit) begin
        if (options.stages) emit_stages();
        if (!started || fflags != fflags_q) begin
          if (options.retire) tipoff_fflags(int'(fflags));
        end
        if (u_life_events.wanted) u_life_events.emit();
        if (u_access_events.happens) u_access_events.emit();
        if (`SIGNALS.wanted != '0) `SIGNALS.emit();
        u_bundle.close();
        fflags_q <= fflags;
      end
      u_bundle.emit_samples();
    end
  end
endmodule
