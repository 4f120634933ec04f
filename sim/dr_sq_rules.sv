// DR_SQ against the store queue's own pointers: what is dispatched with it had waited as the oldest store to dispatch,
// and nothing else. What becomes of it behind dispatch is vector_rules'.
//
// An independent model, of the instruction bits in the decode registers and of the pointers, not of what dispatch and
// the queue say to each other.
`include "assert.svh"
module dr_sq_rules
  import config_pkg::*;
  import events_pkg::*;
  import core_pkg::*;
  import rob_pkg::*;
(
  input logic clk_i,
  input logic rst_ni,
  input logic squash_i,
  // decode registers, slot 0 the oldest
  input logic valid_i,
  input logic [31:0] insn_i,
  input logic [CoreWidth-1:0] fire_i,
  input rob_entry_t entry_i [CoreWidth],
  // store queue
  input sq_idx_t sq_head_i,
  input sq_idx_t sq_tail_i
);
  // Manual, tables 24.1 and 16.5 to 16.7: STORE, STORE-FP; quadrants 0 and 2 of the compressed ones.
  function automatic logic stores(input logic [6:0] opcode, input logic [2:0] compressed);
    case (opcode[1:0])
      2'b11: stores = opcode[6:2] == 5'b01000 || opcode[6:2] == 5'b01001;
      2'b00, 2'b10: stores = compressed[2] && compressed[1:0] != 2'b00;
      default: stores = 1'b0;
    endcase
  endfunction

  logic full, waited_q;
  assign full = sq_head_i.idx == sq_tail_i.idx && sq_head_i.wrap != sq_tail_i.wrap;

  always_ff @(posedge clk_i)
    if (!rst_ni || squash_i || fire_i[0]) waited_q <= 1'b0;
    else if (valid_i && stores(insn_i[6:0], insn_i[15:13]) && full) waited_q <= 1'b1;

  logic [CoreWidth-1:0] wrong;
  always_comb
    for (int i = 0; i < CoreWidth; i++) wrong[i] = fire_i[i] && entry_i[i].psv[EvDrSq] != (i == 0 && waited_q);

  `ASSERT(StoresThatWaited, Vectors == 0 || wrong == '0)
endmodule
