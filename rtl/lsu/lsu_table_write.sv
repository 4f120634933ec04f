// One byte of a page-table entry into the data cache, on the way that stores drain by.
//
//   idle -> slot of a drain (EX) -> M1 -> hit: done
//    ^                               |
//    +--- asleep until a refill -----+ miss; the bus has no such line: done, with an error
//
// valid_i is held until done_o, and no committed store is left meanwhile: the slot of a drain is free. It goes before
// loads.
module lsu_table_write
  import core_pkg::*;
  import lsu_pkg::*;
(
  input  logic clk_i,
  input  logic rst_ni,
  input  logic valid_i,
  input  line_t line_i,              // of the entry
  output logic done_o,
  output logic error_o,              // with done_o: not written, the bus has no such line
  // EX
  output logic slot_valid_o,
  input  logic slot_take_i,
  // M1
  output logic slot_m1_o,            // the drain in M1 is this one
  input  logic hit_i,
  input  logic sleep_i,              // missed: wait for a refill
  input  refill_t refill_i
);
  typedef enum logic [1:0] { IDLE, WRITE_M1, DONE } state_e;
  state_e state_q;
  logic asleep, error_q, fails;

  assign slot_valid_o = state_q == IDLE && valid_i && !asleep && !fails;
  assign slot_m1_o = state_q == WRITE_M1;
  assign done_o = state_q == DONE;
  assign error_o = error_q;

  refill_wait u_refill_wait (
    .clk_i, .rst_ni, .line_i, .miss_i(state_q == WRITE_M1 && !hit_i), .sleep_i, .end_i(state_q == DONE), .refill_i,
    .asleep_o(asleep), .fails_o(fails),
    /* verilator lint_off PINCONNECTEMPTY */  // the instruction has the walk's events
    .arrives_o()
    /* verilator lint_on PINCONNECTEMPTY */
  );

  always_ff @(posedge clk_i) begin
    if (!rst_ni) begin
      state_q <= IDLE;
    end else begin
      case (state_q)
        IDLE: if (fails) state_q <= DONE;
              else if (slot_take_i) state_q <= WRITE_M1;
        WRITE_M1: state_q <= hit_i ? DONE : IDLE;
        default: state_q <= IDLE;
      endcase
      error_q <= fails;
    end
  end

  `include "assert.svh"
  `ASSERT(Held, valid_i || state_q == IDLE)
  `ASSERT(TakesWhatAsks, !slot_take_i || slot_valid_o)
endmodule
