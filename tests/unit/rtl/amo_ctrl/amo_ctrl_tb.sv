// amo_ctrl with flat ports. What it does not look at, it gets as zero.
module amo_ctrl_tb
  import instructions_pkg::*;
  import events_pkg::*;
  import core_pkg::*;
  import mmu_pkg::*;
  import dcache_pkg::*;
  import lsu_pkg::*;
(
  input  logic clk_i,
  input  logic rst_ni,
  input  logic start_i,
  input  logic [3:0] code_i,         // see op_of
  input  logic [63:0] addr_i,
  input  logic [63:0] operand_i,
  output logic asks_o,               // for permission
  input  logic granted_i,
  output logic slot_o,
  output logic slot_write_o,
  output logic [63:0] slot_addr_o,
  output logic [63:0] slot_word_o,
  output logic [7:0] slot_mask_o,
  input  logic take_i,
  input  logic hit_i,
  input  logic [63:0] word_i,
  input  logic join_i,
  input  logic full_i,
  input  logic upgrade_i,
  input  logic refill_i,
  input  logic [63:0] refill_addr_i,
  input  logic refill_peer_i,
  input  logic refill_error_i,
  input  logic lost_i,
  input  logic [63:0] lost_addr_i,
  input  logic swap_i,
  input  logic [63:0] swap_addr_i,
  input  logic [63:0] swap_old_i,
  input  logic [63:0] swap_new_i,
  output logic swapped_o,
  output logic wrote_o,              // the last one
  output logic done_o,
  output logic [63:0] data_o,
  output logic exception_o,
  output logic st_l1_o,
  output logic st_coh_o,
  output logic other_o,              // any other event
  output logic [7:0] cause_o,
  output logic swap_error_o
);
  // LR SC SWAP ADD XOR of 64 bits, then of 32.
  function automatic op_e op_of(input logic [3:0] code);
    case (code)
      4'd0: op_of = OP_LR_D;
      4'd1: op_of = OP_SC_D;
      4'd2: op_of = OP_AMOSWAP_D;
      4'd3: op_of = OP_AMOADD_D;
      4'd4: op_of = OP_AMOXOR_D;
      4'd8: op_of = OP_LR_W;
      4'd9: op_of = OP_SC_W;
      4'd10: op_of = OP_AMOSWAP_W;
      4'd11: op_of = OP_AMOADD_W;
      default: op_of = OP_AMOXOR_W;
    endcase
  endfunction

  amo_ask_t slot;
  table_swapped_t swapped;
  access_t left;
  mem_done_t done;
  mem_event_t event_;
  rob_ref_t nonspec;
  amo_ctrl u_dut (
    .clk_i, .rst_ni, .squash_i('0), .start_i, .op_i(op_of(code_i)), .addr_i, .operand_i, .info_i('0),
    .exception_i(1'b0), .cause_i('0), .stores_gone_i(1'b1), .nonspec_o(nonspec), .nonspec_gnt_i(granted_i),
    .slot_o(slot), .slot_take_i(take_i), .hit_i, .word_i, .wait_i({upgrade_i, full_i, join_i}),
    .refill_i('{valid: refill_i, line: line_of(refill_addr_i), error: refill_error_i, peer: refill_peer_i,
              default: '0}),
    .lost_i('{valid: lost_i, line: line_of(lost_addr_i)}),
    .swap_i('{valid: swap_i, addr: swap_addr_i, old: swap_old_i, new_: swap_new_i}), .swapped_o(swapped),
    .left_o(left), .done_o(done), .event_o(event_)
  );
  assign asks_o = nonspec.valid;
  assign {slot_o, slot_write_o, slot_addr_o, slot_word_o, slot_mask_o} =
      {slot.valid, slot.write, slot.addr, slot.word, slot.mask};
  assign swapped_o = swapped.done;
  assign swap_error_o = swapped.error;
  assign cause_o = 8'(done.cause);
  assign wrote_o = left.writes;
  assign {done_o, data_o, exception_o} = {done.valid, done.data, done.exception};
  assign st_l1_o = event_.valid && event_.psv[EvStL1];
  assign st_coh_o = event_.valid && (event_.psv & PsvStCoh) != '0;
  assign other_o = event_.valid && (event_.psv == '0 || (event_.psv & ~(psv_t'(1 << EvStL1) | PsvStCoh)) != '0);
endmodule
