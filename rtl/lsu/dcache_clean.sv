// fence.i: walks the L1 data cache and has every dirty line written back. The lines stay, clean.
//
// One line leaves in a cycle without a refill and with room in the write-back buffer; a set without dirty lines
// takes one cycle. Done when the buffer is empty: all the writes have been accepted. clean_done_o holds until
// clean_i falls. With harts.coherent done with the walk: instruction misses look into the buffer, too (insn_peek).
module dcache_clean
  import config_pkg::*;
  import dcache_pkg::*;
(
  input  logic clk_i,
  input  logic rst_ni,
  input  logic clean_i,        // level until done
  output logic clean_done_o,
  output dc_set_t set_next_o,  // set to be walked in the next cycle
  input  dc_ways_t dirty_i,    // its dirty ways, where may_push_i
  input  logic may_push_i,
  /* verilator lint_off UNUSEDSIGNAL */  // with harts.coherent
  input  logic wb_empty_i,
  /* verilator lint_on UNUSEDSIGNAL */
  output dc_ways_t push_o      // this way goes to the write-back buffer
);
  typedef enum logic [1:0] { IDLE, WALK, FLUSH, DONE } state_e;
  state_e state_q;
  dc_set_t set_q;

  assign clean_done_o = state_q == DONE && clean_i;
  assign push_o = (state_q == WALK && may_push_i) ? dirty_i & (~dirty_i + dc_ways_t'(1)) : '0;

  // On to the next set when nothing dirty will be left in this one.
  logic advance, last;
  assign advance = state_q == WALK && may_push_i && (dirty_i & ~push_o) == '0;
  assign last = set_q == dc_set_t'(DcSets - 1);
  always_comb begin
    set_next_o = set_q;
    if (advance) set_next_o = last ? '0 : set_q + dc_set_t'(1);
  end

  always_ff @(posedge clk_i) begin
    if (!rst_ni) begin
      state_q <= IDLE;
      set_q <= '0;
    end else begin
      set_q <= set_next_o;
      case (state_q)
        IDLE: if (clean_i) state_q <= WALK;
        WALK: if (advance && last) state_q <= Coherent ? DONE : FLUSH;
        FLUSH: if (wb_empty_i) state_q <= DONE;
        default: if (!clean_i) state_q <= IDLE;
      endcase
    end
  end
endmodule
