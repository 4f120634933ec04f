// The page-table walker's reads, one at a time, through the data cache.
//
//   idle -> slot of a cache port (EX) -> M1 -> hit: done
//    ^                                    |
//    +--- asleep until a refill ----------+ miss; the bus has no such line: done, with an error
//
// valid_i is held until data_o.done; taking it away earlier drops the read. The data comes two cycles
// after the slot. Fresh loads have their ports before it, but not for longer than port_wait counts.
module lsu_table_read
  import core_pkg::*;
  import mmu_pkg::*;
  import lsu_pkg::*;
(
  input  logic clk_i,
  input  logic rst_ni,
  // walker
  input  logic valid_i,
  input  line_t line_i,              // of the entry
  output table_data_t data_o,
  // EX
  output logic slot_valid_o,
  output logic slot_force_o,
  input  logic slot_take_i,
  // M1
  input  logic hit_i,
  input  word_t word_i,
  input  logic join_i,               // missed, the line is on its way
  input  logic full_i,               // missed and no MSHR is free
  input  refill_t refill_i
);
  typedef enum logic [1:0] { IDLE, READ_M1, DONE } state_e;
  state_e state_q;
  logic asleep, error_q, fails;
  word_t data_q;

  assign slot_valid_o = state_q == IDLE && valid_i && !asleep && !fails;
  assign data_o = '{done: state_q == DONE && valid_i, error: error_q, data: data_q};

  refill_wait u_refill_wait (
    .clk_i, .rst_ni, .line_i, .miss_i(state_q == READ_M1 && !hit_i), .sleep_i(join_i || full_i),
    .end_i(!valid_i || state_q == DONE), .refill_i, .asleep_o(asleep), .fails_o(fails),
    /* verilator lint_off PINCONNECTEMPTY */  // a walk has no event of its lines
    .arrives_o()
    /* verilator lint_on PINCONNECTEMPTY */
  );
  port_wait u_port_wait (.clk_i, .rst_ni, .asks_i(slot_valid_o), .take_i(slot_take_i), .urgent_o(slot_force_o));

  always_ff @(posedge clk_i) begin
    if (!rst_ni) begin
      state_q <= IDLE;
    end else begin
      case (state_q)
        IDLE: if (fails) state_q <= DONE;
              else if (slot_take_i) state_q <= READ_M1;
        READ_M1: state_q <= hit_i || fails ? DONE : IDLE;
        default: state_q <= IDLE;
      endcase
      if (!valid_i) state_q <= IDLE;
    end
  end

  always_ff @(posedge clk_i) begin
    if (state_q == READ_M1) data_q <= word_i;
    error_q <= fails && !(state_q == READ_M1 && hit_i);
  end

  `include "assert.svh"
  `ASSERT(TakesWhatAsks, !slot_take_i || slot_valid_o)
endmodule
