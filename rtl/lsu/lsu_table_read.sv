// The page-table walker's reads, one at a time, through the data cache.
//
//   idle -> slot of a cache port (EX) -> M1 -> hit: done
//    ^                                    |
//    +--- asleep until a refill ----------+ miss; the bus has no such line: done, with an error
//
// read_i is held until data_o.done; taking it away earlier drops the read. The data comes two cycles
// after the slot. Fresh loads have their ports before it, but not for longer than port_wait counts, nor when it has
// missed and found no MSHR.
module lsu_table_read
  import config_pkg::*;
  import core_pkg::*;
  import mmu_pkg::*;
  import dcache_pkg::*;
  import lsu_pkg::*;
(
  input  logic clk_i,
  input  logic rst_ni,
  // walker
  input  table_read_t read_i,
  output table_data_t data_o,
  // EX
  output table_ask_t slot_o,
  input  logic slot_take_i,
  // M1
  input  slot_e slot_i [MemPorts],
  input  logic [MemPorts-1:0] hit_i,
  input  word_t word_i [MemPorts],
  input  logic [MemPorts-1:0] join_i,  // missed, the line is on its way
  input  logic full_i,                 // missed and no MSHR is free
  input  refill_t refill_i
);
  typedef enum logic [1:0] { IDLE, READ_M1, DONE } state_e;
  state_e state_q;
  logic asleep, error_q, fails, hit, join_, lacks, waited;
  word_t data_q, word;

  always_comb begin
    hit = 1'b0;
    join_ = 1'b0;
    word = '0;
    for (int p = 0; p < MemPorts; p++)
      if (slot_i[p] == SLOT_TABLE) begin
        hit = hit_i[p];
        join_ = join_i[p];
        word = word_i[p];
      end
  end

  assign slot_o.valid = state_q == IDLE && read_i.valid && !asleep && !fails;
  assign slot_o.addr = read_i.addr;
  assign data_o = '{done: state_q == DONE && read_i.valid, error: error_q, data: data_q};

  refill_wait u_refill_wait (
    .clk_i, .rst_ni, .line_i(line_of(read_i.addr)), .miss_i(state_q == READ_M1 && !hit), .join_i(join_), .full_i,
    .end_i(!read_i.valid || state_q == DONE), .refill_i, .asleep_o(asleep), .fails_o(fails),
    .lacks_o(lacks),
    /* verilator lint_off PINCONNECTEMPTY */  // a walk has no event of its lines
    .arrives_o()
    /* verilator lint_on PINCONNECTEMPTY */
  );
  port_wait u_port_wait (.clk_i, .rst_ni, .asks_i(slot_o.valid), .take_i(slot_take_i), .urgent_o(waited));
  assign slot_o.urgent = waited || lacks;
  assign slot_o.lacks = lacks;

  always_ff @(posedge clk_i) begin
    if (!rst_ni) begin
      state_q <= IDLE;
    end else begin
      case (state_q)
        IDLE: if (fails) state_q <= DONE;
              else if (slot_take_i) state_q <= READ_M1;
        READ_M1: state_q <= hit || fails ? DONE : IDLE;
        default: state_q <= IDLE;
      endcase
      if (!read_i.valid) state_q <= IDLE;
    end
  end

  always_ff @(posedge clk_i) begin
    if (state_q == READ_M1) data_q <= word;
    error_q <= fails && !(state_q == READ_M1 && hit);
  end

  `include "assert.svh"
  `ASSERT(TakesWhatAsks, !slot_take_i || slot_o.valid)
endmodule
