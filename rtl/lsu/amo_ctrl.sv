// Reads and writes a word in one: for an AMO, LR or SC, one at a time, alone in the machine, as the oldest instruction;
// and to compare and swap a page-table entry for the oldest instruction (ad_update), while there is none of those.
//
//   idle -> ask (until granted) -> read -> write -> done
//                   SC that fails -----------------> done      LR: read -> done; SC: ask -> write
//   swap:   idle ----------------> read -> compare -> write -> done;  another entry: compare -> done
//
// Read and write each take a slot of cache port 0; a miss sleeps until a refill and tries again; where the bus answers
// with an error, it ends with an access fault, before anything is written. Reservation: the 64-byte line of the last
// LR; an SC that executes clears it, and the loss of the line to another hart. What has read and not written as its
// line is lost reads again, whether the line is back or not; an SC fails then, until the cycle of its write. A line
// that is here, but shared, is no miss (ST_L1), nor is it until it has come as the only copy. left_o is for observers.
module amo_ctrl
  import config_pkg::*;
  import instructions_pkg::*;
  import events_pkg::*;
  import core_pkg::*;
  import mmu_pkg::*;
  import dcache_pkg::*;
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
  input  load_info_t info_i,
  input  logic exception_i,
  input  cause_t cause_i,
  // permission
  input  logic stores_gone_i,        // no committed store is left
  output rob_ref_t nonspec_o,
  input  logic nonspec_gnt_i,
  // cache: EX slot and its outcome in M1
  output amo_ask_t slot_o,
  input  logic slot_take_i,
  input  logic hit_i,
  input  word_t word_i,
  input  logic [2:0] wait_i,         // missed: {the line is here, but shared; no MSHR is free; it is on its way}
  input  refill_t refill_i,
  /* verilator lint_off UNUSEDSIGNAL */  // of one hart
  input  lost_t lost_i,
  /* verilator lint_on UNUSEDSIGNAL */
  // a table entry: held until done; no committed store is left meanwhile
  input  table_swap_t swap_i,
  output table_swapped_t swapped_o,
  output access_t left_o,            // of the last one: so far
  output mem_done_t done_o,
  output mem_event_t event_o         // a miss in its M1, where the line has come from with the refill
);
  typedef enum logic [2:0] { IDLE, ASK, READ, READ_M1, WRITE, WRITE_M1, DONE, COMPARE } state_e;
  state_e state_q;
  op_e op_q;
  word_t addr_q, tval_q, operand_q, result_q, new_value;
  rob_idx_t rob_q;
  preg_t pd_q;
  logic pd_valid_q, exception_q, swap_q;
  cause_t cause_q;
  logic resv_valid_q;
  line_t resv_line_q;
  access_t left_q;

  logic is_lr, is_sc, in_m1, sc_ok, missed, missed_l1, asleep, arrives, gone, fails, dies, lost, undone, lacks,
      waited, upgrades_q;
  assign is_lr = op_q == OP_LR_W || op_q == OP_LR_D;
  assign is_sc = op_q == OP_SC_W || op_q == OP_SC_D;
  assign in_m1 = state_q == READ_M1 || state_q == WRITE_M1;
  assign missed = in_m1 && !hit_i;
  assign missed_l1 = missed && !wait_i[2] && !upgrades_q;
  assign dies = state_q != IDLE && !swap_q && killed(squash_i, rob_q);
  assign lost = HartsCoherent != 0 && lost_i.valid && lost_i.line == line_of(addr_q);
  assign undone = lost && (state_q == COMPARE || state_q == WRITE || state_q == WRITE_M1);
  assign sc_ok = resv_valid_q && resv_line_q == line_of(addr_q) && !lost;

  port_wait u_port_wait (.clk_i, .rst_ni, .asks_i(slot_o.valid), .take_i(slot_take_i), .urgent_o(waited));
  refill_wait u_refill_wait (
    .clk_i, .rst_ni, .line_i(line_of(addr_q)), .miss_i(missed), .join_i(wait_i[0]), .full_i(wait_i[1]),
    .end_i(state_q == IDLE || state_q == ASK || state_q == DONE), .refill_i, .asleep_o(asleep), .arrives_o(arrives),
    .fails_o(gone), .lacks_o(lacks)
  );
  assign slot_o.lacks = lacks;
  assign slot_o.urgent = waited || lacks;
  assign fails = gone && (state_q == READ || state_q == WRITE);
  amo_alu u_amo_alu (.op_i(op_q), .old_i(result_q), .operand_i(operand_q), .new_o(new_value));

  assign nonspec_o.valid = state_q == ASK && stores_gone_i && !squash_i.valid;
  assign nonspec_o.rob = rob_q;
  assign slot_o.valid = (state_q == READ || state_q == WRITE) && !asleep && !fails && !undone;
  assign slot_o.write = state_q == WRITE;
  assign slot_o.addr = addr_q;
  assign slot_o.mask = byte_mask(access_size(op_q), addr_q[2:0]);
  assign left_o = left_q;
  assign slot_o.word = new_value;    // a 32-bit value stands in both halves

  always_ff @(posedge clk_i) begin
    if (!rst_ni) begin
      state_q <= IDLE;
      resv_valid_q <= 1'b0;
      left_q <= '0;
      upgrades_q <= 1'b0;
    end else begin
      upgrades_q <= HartsCoherent != 0 && state_q != IDLE && !arrives &&
                    (upgrades_q || (missed && wait_i[2] && wait_i[0]));
      if (HartsCoherent != 0 && lost_i.valid && lost_i.line == resv_line_q) resv_valid_q <= 1'b0;
      case (state_q)
        IDLE:
          if (start_i) begin
            state_q <= exception_i ? DONE : ASK;
            left_q.reads <= 1'b0;
            left_q.writes <= 1'b0;
          end else if (swap_i.valid) state_q <= READ;
        ASK:
          if (nonspec_gnt_i && nonspec_o.valid) begin
            if (is_sc) begin
              state_q <= sc_ok ? WRITE : DONE;
              resv_valid_q <= 1'b0;
            end else state_q <= READ;
          end
        READ: if (slot_take_i) state_q <= READ_M1;
        READ_M1:
          if (hit_i) begin
            state_q <= is_lr ? DONE : swap_q ? COMPARE : WRITE;
            left_q.reads <= !swap_q;
            if (is_lr) resv_valid_q <= 1'b1;
          end else state_q <= READ;
        COMPARE: state_q <= result_q == swap_i.old ? WRITE : DONE;
        WRITE: if (slot_take_i) state_q <= WRITE_M1;
        WRITE_M1:
          if (hit_i) begin
            state_q <= DONE;
            left_q.writes <= !swap_q;
          end else state_q <= WRITE;
        default: state_q <= IDLE;
      endcase
      if (undone) state_q <= is_sc ? DONE : READ;
      if (fails) state_q <= DONE;
      if (in_m1 && hit_i) begin
        left_q.addr <= addr_q;
        left_q.data <= new_value;
        left_q.size <= access_size(op_q);
      end
      if (dies) state_q <= IDLE;
    end
  end

  always_ff @(posedge clk_i) begin
    if (state_q == IDLE) begin
      swap_q <= !start_i;  // if anything starts
      op_q <= start_i ? op_i : OP_AMOSWAP_D;
      addr_q <= start_i ? addr_i : swap_i.addr;
      tval_q <= virtual_address(addr_i, info_i);
      operand_q <= start_i ? operand_i : swap_i.new_;
      rob_q <= info_i.rob;
      pd_q <= info_i.pd;
      pd_valid_q <= info_i.pd_valid;
      exception_q <= start_i && exception_i;
      cause_q <= cause_i;
    end
    if (state_q == ASK) result_q <= word_t'(!sc_ok);  // what an SC gives
    if (state_q == READ_M1 && hit_i) begin
      result_q <= load_value(word_i, addr_q[2:0], access_size(op_q), 1'b0, 1'b0);
      resv_line_q <= is_lr ? line_of(addr_q) : resv_line_q;
    end
    if (undone && is_sc) result_q <= 64'd1;
    if (fails) begin
      exception_q <= 1'b1;
      cause_q <= is_lr ? CauseLoadAccess : CauseStoreAccess;
    end
  end

  always_comb begin
    done_o.valid = state_q == DONE && !swap_q && !dies;
    done_o.rob = rob_q;
    done_o.pd_valid = pd_valid_q && !exception_q;
    done_o.pd = pd_q;
    done_o.data = result_q;
    done_o.exception = done_o.valid && exception_q;
    done_o.cause = cause_q;
    done_o.tval = tval_q;
    event_o.valid = (missed_l1 || (arrives && (refill_i.llc || refill_i.peer))) && !swap_q && !dies;
    event_o.rob = rob_q;
    event_o.psv = arrives && refill_i.peer ? PsvStCoh : '0;
    event_o.psv[EvStL1] = missed_l1;
    event_o.psv[EvStLlc] = arrives && refill_i.llc;
    swapped_o = '{done: state_q == DONE && swap_q, error: exception_q};
  end

  `include "assert.svh"
  // The proof of its events takes the first three for granted (tests/formal/psv_amo_proof.sv).
  `ASSERT(StartsAlone, !start_i || (state_q == IDLE && !squash_i.valid))
  `ASSERT(TakenWhenOffered, !slot_take_i || slot_o.valid)
  `ASSERT(NoRefillInM1, !in_m1 || !refill_i.valid)
  `ASSERT(NotKilledOnceGranted, !dies || state_q == ASK || exception_q)
  `ASSERT(NoWriteOfLost, !(undone && state_q == WRITE_M1 && hit_i))
  `ASSERT(OneAtATime, !(swap_i.valid && (start_i || (state_q != IDLE && !swap_q))))
  `ASSERT(SwapHeld, swap_i.valid || state_q == IDLE || !swap_q)
endmodule
