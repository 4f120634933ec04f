// What the profiling units must show, from the attribution rules (design: TIP, MICRO 2021; TEA, ISCA 2023), written
// apart from the RTL: by age instead of by lane, and with the story of a sample told as facts instead of states.
module profile_spec
  import config_pkg::*;
  import records_pkg::*;
(
  input  logic           clk_i,
  input  logic           rst_ni,
  /* verilator lint_off UNUSEDSIGNAL */  // one record for all observers
  input  commit_bundle_t bundle_i,
  /* verilator lint_on UNUSEDSIGNAL */
  input  logic           trigger_i,
  input  logic           acknowledge_i,
  output oir_t           oir_o,
  output sample_t        select_o,
  // [0]: tip_unit, [1]: tea_unit
  output logic [1:0]     taken_o,
  output logic [1:0]     ready_o,
  output logic [1:0]     holding_o,     // taken, not acknowledged
  output logic [1:0]     nameless_o,    // ... Drained, and nobody has dispatched
  output logic [1:0]     unfinished_o,  // ... TEA: its instruction is still to leave
  output sample_t        tip_o,
  output sample_t        tea_o
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
      end
    end
    if (bundle_i.exception) begin
      oir_d = '0;
      oir_d.valid = 1'b1;
      oir_d.exception = 1'b1;
      oir_d.pc = bundle_i.exception_pc;
      oir_d.psv = bundle_i.exception_psv;
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

  // ---- the story of a sample ----
  for (genvar u = 0; u < 2; u++) begin : gen_unit
    localparam bit Tea = u == 1;
    logic holding_q = 1'b0, nameless_q = 1'b0, unfinished_q = 1'b0;
    sample_t sample_q = '0;
    logic takes, leaves;
    assign takes = trigger_i && !holding_q;
    assign leaves = commits || bundle_i.exception || bundle_i.rob_empty;

    always_ff @(posedge clk_i) begin
      if (!rst_ni) begin
        holding_q <= 1'b0;
        nameless_q <= 1'b0;
        unfinished_q <= 1'b0;
      end else if (takes) begin
        holding_q <= 1'b1;
        sample_q <= select_o;
        nameless_q <= 1'b0;
        unfinished_q <= 1'b0;
        if (select_o.state == STATE_DRAINED) begin
          nameless_q <= !bundle_i.dispatch_valid[0];
          unfinished_q <= Tea;
          if (bundle_i.dispatch_valid[0]) begin
            sample_q.valid[0] <= 1'b1;
            sample_q.addr[0] <= bundle_i.dispatch_pc[0];
          end
        end else if (select_o.state == STATE_STALLED) unfinished_q <= Tea && !bundle_i.exception;
      end else if (nameless_q) begin
        if (bundle_i.dispatch_valid[0]) begin
          nameless_q <= 1'b0;
          sample_q.valid[0] <= 1'b1;
          sample_q.addr[0] <= bundle_i.dispatch_pc[0];
        end
      end else if (unfinished_q) begin
        if (leaves) unfinished_q <= 1'b0;
        if (bundle_i.exception) sample_q.psv[sample_q.oldest] <= bundle_i.exception_psv;
        else if (commits) sample_q.psv[sample_q.oldest] <= bundle_i.psv[bundle_i.oldest];
      end else if (holding_q && acknowledge_i) holding_q <= 1'b0;
    end

    assign taken_o[u] = takes;
    assign holding_o[u] = holding_q;
    assign nameless_o[u] = nameless_q;
    assign unfinished_o[u] = unfinished_q;
    assign ready_o[u] = holding_q && !nameless_q && !unfinished_q;
    if (Tea) begin : gen_tea
      assign tea_o = sample_q;
    end else begin : gen_tip
      assign tip_o = sample_q;
    end
  end
endmodule
