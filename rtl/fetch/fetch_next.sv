// F0: which packet is fetched next, and what F1 holds.
//
// In order of precedence: a redirect, F2's correction, F1's guess, what F0 holds. A block that misses in F1 (bounce_i)
// comes back here and is held until the end of the walk or the fill. After f2_halt_i the front end rests until a
// redirect. block_o comes late, its choices early: usual_o, or with f2_redirect_i f2_next_i's. Latency: what fires is
// in F1 in the next cycle.
module fetch_next
  import core_pkg::*;
  import fetch_pkg::*;
(
  input  logic clk_i,
  input  logic rst_ni,
  input  word_t reset_pc_i,
  input  redirect_t redirect_i,
  input  hist_t redirect_hist_i,       // that it goes on with
  // F2's correction; its end of fetch
  input  logic f2_redirect_i,
  input  logic [63:1] f2_next_i,
  input  hist_t f2_hist_i,
  input  logic f2_halt_i,
  // F1: its guess, and what becomes of its packet
  input  logic [63:1] guess_i,
  input  hist_t guess_hist_i,
  input  logic advance_i,
  input  logic bounce_i,
  input  logic tlb_miss_i,             // with bounce_i: not in the TLB, else not in the cache
  input  logic pending_i,              // ... and its line is asked for
  input  logic fill_i,                 // a line has arrived
  input  logic walking_i,
  // F0
  output logic fire_o,
  output block_addr_t block_o,
  output logic [11-OffsetBits:0] usual_o,  // in its page
  output hist_t hist_o,
  // F1
  output logic f1_valid_o,
  output logic [63:1] f1_at_o,
  output hist_t f1_hist_o,
  output missed_t f1_missed_o
);
  logic rest_q, wait_q;                // rest: until a redirect; wait: for a fill
  missed_t missed_q;                   // of what F0 holds
  logic [63:1] hold_q, at, usual;
  hist_t hist_hold_q;

  always_comb begin
    if (redirect_i.valid) begin
      usual = redirect_i.pc[63:1];
      hist_o = redirect_hist_i;
    end else if (f1_valid_o) begin
      usual = guess_i;
      hist_o = guess_hist_i;
    end else begin
      usual = hold_q;
      hist_o = hist_hold_q;
    end
    at = usual;
    if (f2_redirect_i) begin  // never with redirect_i
      at = f2_next_i;
      hist_o = f2_hist_i;
    end
  end
  assign block_o = at[63:OffsetBits];
  assign usual_o = usual[11:OffsetBits];
  assign fire_o = redirect_i.valid || f2_redirect_i ||
                  (!f2_halt_i && (f1_valid_o ? advance_i : !rest_q && !wait_q && !walking_i));

  always_ff @(posedge clk_i) begin
    if (!rst_ni) begin
      f1_valid_o <= 1'b0;
      rest_q <= 1'b0;
      wait_q <= 1'b0;
      missed_q <= '0;
      hold_q <= reset_pc_i[63:1];
      hist_hold_q <= '0;
    end else begin
      f1_valid_o <= fire_o || (f1_valid_o && !advance_i && !bounce_i && !f2_halt_i);
      if (fire_o) begin
        rest_q <= 1'b0;
        wait_q <= 1'b0;
        missed_q <= '0;
      end else begin
        if (f2_halt_i) rest_q <= 1'b1;
        if (bounce_i) begin
          hold_q <= f1_at_o;
          hist_hold_q <= f1_hist_o;
          missed_q.tlb <= f1_missed_o.tlb || tlb_miss_i;
          missed_q.l1 <= f1_missed_o.l1 || !tlb_miss_i;
          wait_q <= pending_i;
        end else if (fill_i) begin
          wait_q <= 1'b0;
        end
      end
    end
    if (fire_o) begin
      f1_at_o <= at;
      f1_hist_o <= hist_o;
      f1_missed_o <= redirect_i.valid || f2_redirect_i || f1_valid_o ? '0 : missed_q;
    end
  end
endmodule
