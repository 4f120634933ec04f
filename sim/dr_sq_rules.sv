// DR_SQ against the store queue's own pointers: who leaves with it had waited as the oldest store to dispatch, and nobody else.
//
// A second telling, of the instruction bits in the decode registers and of the pointers, not of what dispatch and the queue
// say to each other. What excepts is not compared: it does not commit.
`include "assert.svh"
module dr_sq_rules
  import config_pkg::*;
  import events_pkg::*;
  import records_pkg::*;
  import core_pkg::*;
  import uop_pkg::*;
(
  input logic clk_i,
  input logic rst_ni,
  input logic squash_i,
  // decode registers, slot 0 the oldest
  input logic valid_i,
  /* verilator lint_off UNUSEDSIGNAL */  // an instruction passed whole: its opcode counts here
  input logic [31:0] insn_i,
  /* verilator lint_on UNUSEDSIGNAL */
  input logic [CoreWidth-1:0] fire_i,
  input rob_idx_t rob_i [CoreWidth],
  // store queue
  input sq_idx_t sq_head_i,
  input sq_idx_t sq_tail_i,
  // what leaves
  input rob_idx_t head_i,
  /* verilator lint_off UNUSEDSIGNAL */  // struct passed whole
  input commit_bundle_t bundle_i
  /* verilator lint_on UNUSEDSIGNAL */
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
  logic [RobEntries-1:0] expected_q;  // by the entry that it got
  assign full = sq_head_i.idx == sq_tail_i.idx && sq_head_i.wrap != sq_tail_i.wrap;

  always_ff @(posedge clk_i) begin
    if (!rst_ni) begin
      waited_q <= 1'b0;
      expected_q <= '0;
    end else begin
      if (squash_i || fire_i[0]) waited_q <= 1'b0;
      else if (valid_i && stores(insn_i[6:0], insn_i[15:13]) && full) waited_q <= 1'b1;
      for (int i = 0; i < CoreWidth; i++) if (fire_i[i]) expected_q[rob_i[i].idx] <= i == 0 && waited_q;
    end
  end

  logic [CoreWidth-1:0] wrong;
  always_comb begin
    automatic int unsigned lane = 32'(bundle_i.oldest);
    wrong = '0;
    for (int k = 0; k < CoreWidth; k++) begin
      /* verilator lint_off UNUSEDSIGNAL */  // the wrap bit
      automatic rob_idx_t entry = rob_add(head_i, k);
      /* verilator lint_on UNUSEDSIGNAL */
      if (bundle_i.commit[LaneBits'(lane)])
        wrong[k] = bundle_i.psv[LaneBits'(lane)][EvDrSq] != expected_q[entry.idx];
      lane = (lane == CoreWidth - 1) ? 0 : lane + 1;
    end
  end

  `ASSERT(StoresThatWaited, Vectors == 0 || wrong == '0)
endmodule
