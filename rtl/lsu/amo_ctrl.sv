// AMO, LR and SC: one at a time, alone in the machine, as the oldest instruction.
//
//   idle -> ask (until granted) -> read -> write -> done
//                   SC that fails -----------------> done      LR: read -> done; SC: ask -> write
//
// Read and write each take a slot of cache port 0; a miss sleeps until a refill and tries again. Reservation: the
// 64-byte line of the last LR; only an SC that executes clears it. The last_amo_* registers hold the write of the
// last one (wrote: there was one) for the simulation's monitor.
module amo_ctrl
  import instructions_pkg::*;
  import events_pkg::*;
  import core_pkg::*;
  import lsu_pkg::*;
(
  input  logic clk_i,
  input  logic rst_ni,
  input  squash_t squash_i,
  // EX
  input  logic start_i,
  input  op_e op_i,
  input  word_t addr_i,
  input  word_t operand_i,
  input  rob_idx_t rob_i,
  input  preg_t pd_i,
  input  logic pd_valid_i,
  input  logic exception_i,
  input  cause_t cause_i,
  input  logic tlb_i,                // missed the data TLB
  // permission
  input  logic stores_gone_i,        // no committed store is left
  output logic nonspec_req_o,
  output rob_idx_t nonspec_rob_o,
  input  logic nonspec_gnt_i,
  // cache: EX slot and its outcome in M1
  output logic slot_valid_o,
  output logic slot_write_o,
  output word_t slot_addr_o,
  output word_t slot_word_o,
  output logic [7:0] slot_mask_o,
  input  logic slot_take_i,
  input  logic hit_i,
  input  word_t word_i,
  input  logic join_i,               // missed, the line comes with MSHR id_i
  input  mshr_t id_i,
  input  logic full_i,               // missed and no MSHR is free
  input  logic refill_valid_i,
  input  mshr_t refill_id_i,
  input  logic refill_llc_i,
  output mem_done_t done_o
);
  typedef enum logic [2:0] { IDLE, ASK, READ, READ_M1, WRITE, WRITE_M1, DONE } state_e;
  state_e state_q;
  op_e op_q;
  word_t addr_q, operand_q, result_q, new_value;
  rob_idx_t rob_q;
  preg_t pd_q;
  logic pd_valid_q, exception_q, sleep_q, join_q, l1_q, llc_q, tlb_q;
  cause_t cause_q;
  mshr_t id_q;
  logic resv_valid_q;
  line_t resv_line_q;
  /* verilator lint_off UNUSEDSIGNAL */  // read by the simulation's monitor only
  word_t last_amo_addr_q, last_amo_data_q;
  logic [1:0] last_amo_size_q;
  logic last_amo_wrote_q;
  /* verilator lint_on UNUSEDSIGNAL */

  logic is_lr, is_sc, in_m1, sc_ok;
  assign is_lr = op_q == OP_LR_W || op_q == OP_LR_D;
  assign is_sc = op_q == OP_SC_W || op_q == OP_SC_D;
  assign in_m1 = state_q == READ_M1 || state_q == WRITE_M1;
  assign sc_ok = resv_valid_q && resv_line_q == line_of(addr_q);

  amo_alu u_amo_alu (.op_i(op_q), .old_i(result_q), .operand_i(operand_q), .new_o(new_value));

  assign nonspec_req_o = state_q == ASK && stores_gone_i && !squash_i.valid;
  assign nonspec_rob_o = rob_q;
  assign slot_valid_o = (state_q == READ || state_q == WRITE) && !sleep_q;
  assign slot_write_o = state_q == WRITE;
  assign slot_addr_o = addr_q;
  assign slot_mask_o = byte_mask(access_size(op_q), addr_q[2:0]);
  assign slot_word_o = new_value;    // a 32-bit value is there in both halves

  always_ff @(posedge clk_i) begin
    if (!rst_ni) begin
      state_q <= IDLE;
      sleep_q <= 1'b0;
      resv_valid_q <= 1'b0;
      last_amo_wrote_q <= 1'b0;
    end else begin
      case (state_q)
        IDLE:
          if (start_i) begin
            state_q <= exception_i ? DONE : ASK;
            last_amo_wrote_q <= 1'b0;
          end
        ASK:
          if (nonspec_gnt_i && nonspec_req_o) begin
            if (is_sc) begin
              state_q <= sc_ok ? WRITE : DONE;
              resv_valid_q <= 1'b0;
            end else state_q <= READ;
          end
        READ: if (slot_take_i) state_q <= READ_M1;
        READ_M1:
          if (hit_i) begin
            state_q <= is_lr ? DONE : WRITE;
            if (is_lr) resv_valid_q <= 1'b1;
          end else state_q <= READ;
        WRITE: if (slot_take_i) state_q <= WRITE_M1;
        WRITE_M1:
          if (hit_i) begin
            state_q <= DONE;
            last_amo_wrote_q <= 1'b1;
          end else state_q <= WRITE;
        default: state_q <= IDLE;
      endcase
      // No AMO is in M1 in a refill cycle, so no wake is missed.
      if (in_m1 && !hit_i) sleep_q <= join_i || full_i;
      else if (refill_valid_i) sleep_q <= 1'b0;
      if (killed(squash_i, rob_q)) state_q <= IDLE;
    end
  end

  always_ff @(posedge clk_i) begin
    if (state_q == IDLE) begin
      op_q <= op_i;
      addr_q <= addr_i;
      operand_q <= operand_i;
      rob_q <= rob_i;
      pd_q <= pd_i;
      pd_valid_q <= pd_valid_i;
      exception_q <= exception_i;
      cause_q <= cause_i;
      tlb_q <= tlb_i;
      join_q <= 1'b0;
      l1_q <= 1'b0;
      llc_q <= 1'b0;
    end
    if (state_q == ASK) result_q <= word_t'(!sc_ok);  // what an SC gives
    if (state_q == READ_M1 && hit_i) begin
      result_q <= load_value(word_i, addr_q[2:0], access_size(op_q), 1'b0, 1'b0);
      resv_line_q <= is_lr ? line_of(addr_q) : resv_line_q;
    end
    if (state_q == WRITE_M1 && hit_i) begin
      last_amo_addr_q <= addr_q;
      last_amo_data_q <= new_value;
      last_amo_size_q <= access_size(op_q);
    end
    if (in_m1 && !hit_i) begin
      l1_q <= 1'b1;
      join_q <= join_i;
      id_q <= id_i;
    end else if (state_q != IDLE && join_q && refill_valid_i && refill_id_i == id_q) begin
      // Asleep or not: another refill may have woken it just before.
      join_q <= 1'b0;
      llc_q <= llc_q || refill_llc_i;
    end
  end

  always_comb begin
    done_o.valid = state_q == DONE && !killed(squash_i, rob_q);
    done_o.rob = rob_q;
    done_o.pd_valid = pd_valid_q && !exception_q;
    done_o.pd = pd_q;
    done_o.data = result_q;
    done_o.exception = exception_q;
    done_o.cause = cause_q;
    done_o.tval = addr_q;
    done_o.psv = '0;
    done_o.psv[EvStL1] = l1_q;
    done_o.psv[EvStLlc] = llc_q;
    done_o.psv[EvStTlb] = tlb_q;
  end

  `include "assert.svh"
  `ASSERT(OneAtATime, !start_i || state_q == IDLE)
  `ASSERT(NotKilledOnceGranted, !killed(squash_i, rob_q) || state_q == IDLE || state_q == ASK || exception_q)
endmodule
