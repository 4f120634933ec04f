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
  logic sleep_q, error_q, fails;

  assign slot_valid_o = state_q == IDLE && valid_i && !sleep_q;
  assign slot_m1_o = state_q == WRITE_M1;
  assign done_o = state_q == DONE;
  assign error_o = error_q;
  assign fails = sleep_q && refill_i.valid && refill_i.error && refill_i.line == line_i;

  always_ff @(posedge clk_i) begin
    if (!rst_ni) begin
      state_q <= IDLE;
      sleep_q <= 1'b0;
    end else begin
      case (state_q)
        IDLE: if (fails) state_q <= DONE;
              else if (slot_take_i) state_q <= WRITE_M1;
        WRITE_M1: state_q <= hit_i ? DONE : IDLE;
        default: state_q <= IDLE;
      endcase
      // No drain is in M1 in a refill cycle, so no wake is missed.
      if (state_q == WRITE_M1 && !hit_i) sleep_q <= sleep_i;
      else if (refill_i.valid) sleep_q <= 1'b0;
      error_q <= fails;
    end
  end

  `include "assert.svh"
  `ASSERT(Held, valid_i || state_q == IDLE)
  `ASSERT(TakesWhatAsks, !slot_take_i || slot_valid_o)
endmodule
