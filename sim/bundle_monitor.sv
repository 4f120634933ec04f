// Emits the commit bundle of every cycle to C, whatever core it comes from, and what the harness's unit makes of it.
//
// A cycle without a call was equal to the one before it, and C accounts for it. Alone = 1: nothing else is emitted. 0:
// an owner that emits more (sim/monitor.sv) says in more_i whether there is more, and in each cycle with emit_o calls
// open(), then what it has to say, then close(): the order that sim/dpi_pkg.sv asks for.
module bundle_monitor
  import config_pkg::*;
  import records_pkg::*;
  import core_pkg::*;
  import dpi_pkg::*;
#(
  parameter bit Alone = 1
) (
  input  logic           clk_i,
  input  logic           rst_ni,
  input  commit_bundle_t bundle_i,
  input  sample_t        sample_i,         // what the unit would sample in this cycle
  input  oir_t           oir_i,
  // of the harness's unit: in the cycle before it has taken a sample, or counted one more of what it holds
  input  logic           trigger_i,
  input  logic           sample_taken_i,
  input  logic           sample_ready_i,
  input  logic           more_i,
  output logic           emit_o,
  output logic           started_o,        // the first cycle has been passed on
  output word_t          cycle_o,          // cycles since reset
  output word_t          instructions_o    // instructions committed
);
  /* verilator lint_off UNUSEDSIGNAL */  // an owner emits what else is asked for
  options_t options;
  /* verilator lint_on UNUSEDSIGNAL */
  initial options = options_t'(4'(tipoff_options()));

  commit_bundle_t bundle_q;
  sample_t sample_q;
  oir_t oir_q;
  logic passed_q;  // the cycle before has been passed on

  // Nested: what stands to the right of an || is worked out all the same; what happens most is asked first.
  always_comb begin
    emit_o = 1'b0;
    if (options.bundle) begin
      if (bundle_i.fetch_valid || bundle_i.redirect) emit_o = 1'b1;
      else if (!started_o || more_i || bundle_i.commit != '0 || bundle_i.exception || bundle_i.dispatch_valid != '0)
        emit_o = 1'b1;
      else if (bundle_i != bundle_q) emit_o = 1'b1;
      else if (options.select) emit_o = sample_i != sample_q || oir_i != oir_q;
    end
  end

  function automatic void open();
    if (!passed_q) tipoff_quiet(cycle_o);
  endfunction

  function automatic void close();
    if (options.select) tipoff_selection(sample_i, oir_i);
    tipoff_bundle(cycle_o, bundle_i);
  endfunction

  // Ahead of the cycle itself: triggers are those of the cycle before.
  function automatic void emit_triggers();
    if (trigger_i) tipoff_trigger(cycle_o - 64'd1, int'(sample_taken_i));
  endfunction

  // After the cycle.
  function automatic void emit_samples();
    if (sample_ready_i) tipoff_sample(cycle_o);
  endfunction

  if (Alone) begin : gen_alone
    always_ff @(posedge clk_i)
      if (rst_ni) begin
        emit_triggers();
        if (emit_o) begin
          open();
          close();
        end
        emit_samples();
      end
  end

  always_ff @(posedge clk_i) begin
    if (!rst_ni) begin
      passed_q <= 1'b1;
      started_o <= 1'b0;
      cycle_o <= '0;
      instructions_o <= '0;
    end else begin
      passed_q <= emit_o;
      if (emit_o) begin
        bundle_q <= bundle_i;
        sample_q <= sample_i;
        oir_q <= oir_i;
      end
      started_o <= 1'b1;
      cycle_o <= cycle_o + 64'd1;
      instructions_o <= instructions_o + 64'($countones(bundle_i.commit));
    end
  end
endmodule
