// Forms, in every cycle, the sample that would be taken now: which of the four commit states the core is in, and which
// instructions the cycle belongs to (design: TIP, MICRO 2021, sections 2 and 3).
//
//   commits?    any                             Computing  the committing lanes
//   ROB empty?  no                              Stalled    the oldest lane
//   OIR flags?  mispredict, flush or exception  Flushed    the OIR, in lane 0
//   otherwise                                   Drained    nobody yet: the first instruction that dispatches
//
// Combinational. A cycle in which the head raises an exception is Stalled on it. A committing lane counts if it is the
// first micro-op of its instruction, or goes on with one whose first has left (then it is the oldest).
module sample_select
  import config_pkg::*;
  import records_pkg::*;
(
  /* verilator lint_off UNUSEDSIGNAL */  // one record for all observers; this one reads the commit side
  input  commit_bundle_t bundle_i,
  /* verilator lint_on UNUSEDSIGNAL */
  input  oir_t           oir_i,
  output sample_t        sample_o
);
  logic [CoreWidth-1:0] head;  // the oldest lane, one-hot
  for (genvar i = 0; i < CoreWidth; i++) begin : gen_head
    assign head[i] = bundle_i.oldest == LaneBits'(i);
  end

  state_e state;
  logic offended;
  logic [CoreWidth-1:0] lanes;  // that take address and vector from the bundle
  assign offended = oir_i.valid && (oir_i.mispredict || oir_i.flush || oir_i.exception);
  always_comb begin
    lanes = '0;
    if (bundle_i.commit != '0) begin
      state = STATE_COMPUTING;
      lanes = bundle_i.commit & (bundle_i.first | head);
    end else if (!bundle_i.rob_empty) begin
      state = STATE_STALLED;
      lanes = head;
    end else if (offended) begin
      state = STATE_FLUSHED;
    end else begin
      state = STATE_DRAINED;
    end
  end

  logic flushed;
  assign flushed = state == STATE_FLUSHED;
  always_comb begin
    sample_o = '0;
    sample_o.state = state;
    sample_o.valid = lanes;
    sample_o.priv = flushed ? oir_i.priv : bundle_i.priv;
    sample_o.space = flushed ? oir_i.space : bundle_i.space;
    if (lanes != '0) begin
      sample_o.oldest = bundle_i.oldest;
      for (int i = 0; i < CoreWidth; i++) begin
        if (lanes[i]) begin
          sample_o.addr[i] = bundle_i.pc[i];
          sample_o.psv[i] = bundle_i.exception ? bundle_i.exception_psv : bundle_i.psv[i];
        end
      end
    end else if (flushed) begin
      sample_o.valid[0] = 1'b1;
      sample_o.addr[0] = oir_i.pc;
      sample_o.psv[0] = oir_i.psv;
      sample_o.exception = oir_i.exception;
      sample_o.flush = oir_i.flush;
      sample_o.mispredict = oir_i.mispredict;
    end
  end
endmodule
