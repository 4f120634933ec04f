// What the profiling units must select, from the attribution rules (design: TIP, MICRO 2021; TEA, ISCA 2023), written
// apart from the RTL: by age instead of by lane. What becomes of a selection that is sampled: sample_story.sv.
module profile_spec
  import config_pkg::*;
  import records_pkg::*;
(
  input  logic           clk_i,
  input  logic           rst_ni,
  /* verilator lint_off UNUSEDSIGNAL */  // one record for all observers
  input  commit_bundle_t bundle_i,
  /* verilator lint_on UNUSEDSIGNAL */
  output oir_t           oir_o,
  output sample_t        select_o
);
  typedef logic [LaneBits-1:0] lane_t;
  function automatic lane_t lane_of(input int unsigned age);
    logic [LaneBits:0] sum;
    sum = {1'b0, bundle_i.oldest} + (LaneBits + 1)'(age);
    lane_of = lane_t'(sum >= (LaneBits + 1)'(CoreWidth) ? sum - (LaneBits + 1)'(CoreWidth) : sum);
  endfunction

  // ---- OIR: the youngest of the last that left ----
  oir_t oir_q = '0;
  oir_t oir_d;
  logic found;
  always_comb begin
    oir_d = oir_q;
    found = 1'b0;
    for (int age = CoreWidth - 1; age >= 0; age--) begin
      if (bundle_i.commit[lane_of(age)] && !found) begin
        found = 1'b1;
        oir_d.valid = 1'b1;
        oir_d.pc = bundle_i.pc[lane_of(age)];
        oir_d.mispredict = bundle_i.mispredict[lane_of(age)];
        oir_d.flush = bundle_i.flush[lane_of(age)];
        oir_d.exception = 1'b0;
        oir_d.psv = bundle_i.psv[lane_of(age)];
        oir_d.priv = bundle_i.priv;
        oir_d.space = bundle_i.space;
      end
    end
    if (bundle_i.exception) begin
      oir_d = '0;
      oir_d.valid = 1'b1;
      oir_d.exception = 1'b1;
      oir_d.pc = bundle_i.exception_pc;
      oir_d.psv = bundle_i.exception_psv;
      oir_d.priv = bundle_i.priv;
      oir_d.space = bundle_i.space;
    end
  end
  always_ff @(posedge clk_i) oir_q <= rst_ni ? oir_d : '0;
  assign oir_o = oir_q;

  // ---- the state of this cycle and who is given it ----
  logic commits, blamed;
  assign commits = bundle_i.commit != '0;
  assign blamed = oir_q.mispredict || oir_q.flush || oir_q.exception;
  always_comb begin
    select_o = '0;
    if (commits) select_o.state = STATE_COMPUTING;
    else if (!bundle_i.rob_empty) select_o.state = STATE_STALLED;
    else if (blamed) select_o.state = STATE_FLUSHED;
    else select_o.state = STATE_DRAINED;

    // Whose mode and address space: those of the instructions of this cycle, but of the blamed one it is its own.
    {select_o.priv, select_o.space} = select_o.state == STATE_FLUSHED ? {oir_q.priv, oir_q.space}
                                      : {bundle_i.priv, bundle_i.space};
    if (select_o.state == STATE_FLUSHED) begin
      select_o.valid = CoreWidth'(1);
      select_o.addr[0] = oir_q.pc;
      select_o.psv[0] = oir_q.psv;
      select_o.mispredict = oir_q.mispredict;
      select_o.flush = oir_q.flush;
      select_o.exception = oir_q.exception;
    end
    if (commits || !bundle_i.rob_empty) begin
      select_o.oldest = bundle_i.oldest;
      for (int unsigned age = 0; age < CoreWidth; age++) begin
        // Computing: instructions, not micro-ops; the oldest counts even if it began in an earlier cycle.
        if (commits ? bundle_i.commit[lane_of(age)] && (age == 0 || bundle_i.first[lane_of(age)]) : age == 0) begin
          select_o.valid[lane_of(age)] = 1'b1;
          select_o.addr[lane_of(age)] = bundle_i.pc[lane_of(age)];
          select_o.psv[lane_of(age)] = bundle_i.exception ? bundle_i.exception_psv : bundle_i.psv[lane_of(age)];
        end
      end
    end
  end
endmodule
