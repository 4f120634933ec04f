// Ideal branch prediction: on the path that the program takes, direction and target of every transfer are right, and
// known in F1, so that fetch goes on without a bubble.
//
// Counts instructions as they are fetched: the packet in F1 begins with the instruction after those in F2. Where C
// does not know the path (after an interrupt or a trap until it is taken), the core's predictors decide. Combinational
// in F1; what F2 needs goes along.
`define IDEAL gen_ideal_parts.u_ideal
module ideal_branches
  import config_pkg::*;
  import core_pkg::*;
  import fetch_pkg::*;
  import ideal_pkg::*;
(
  input  logic   clk_i,
  input  logic   rst_ni,
  input  logic   redirect_i,
  // F2
  input  logic   push_i,
  input  logic   f2_valid_i,
  input  slots_t f2_slots_i,      // where instructions of its packet end
  input  word_t  f2_target_i,     // from F1
  input  word_t  f2_ras_top_i,
  output word_t  f2_ras_top_o,
  // F1
  input  logic   f1_valid_i,
  input  logic   f1_advance_i,
  input  word_t  f1_pc_i,
  input  slots_t predict_i,
  input  logic   taken_i,
  input  slot_t  slot_i,
  input  word_t  target_i,
  output slots_t predict_o,
  output logic   taken_o,
  output slot_t  slot_o,
  output word_t  target_o
);
  word_t seq_q, seq;              // number of the next instruction to leave F2, and to begin in F1
  logic known, f2_known_q;
  always_comb begin
    seq = seq_q;
    for (int s = 0; s < FetchWidth; s++) if (f2_valid_i && f2_slots_i[s]) seq = seq + 64'd1;
  end

  always_comb begin
    automatic int unsigned answer = 0;
    automatic word_t target = '0;
    predict_o = predict_i;
    taken_o = taken_i;
    slot_o = slot_i;
    target_o = target_i;
    if (`IDEAL.parts_o.branches && f1_valid_i) answer = tipoff_ideal_packet(seq, f1_pc_i, 2 * FetchWidth, target);
    known = answer[0];
    if (known) begin
      predict_o = '0;
      taken_o = answer[1];
      slot_o = slot_t'(answer >> 2);
      target_o = target;
      if (taken_o) predict_o[slot_o] = 1'b1;
    end
  end

  always_ff @(posedge clk_i) begin
    if (!rst_ni) seq_q <= '0;
    else if (redirect_i) seq_q <= `IDEAL.redirect_o;
    else if (push_i) seq_q <= seq;
    if (f1_advance_i) f2_known_q <= known && taken_o;
  end
  assign f2_ras_top_o = f2_known_q ? f2_target_i : f2_ras_top_i;
endmodule
`undef IDEAL
