// refill_wait with flat ports, port_wait, and mshr_turn.
module refill_wait_tb
  import dcache_pkg::*;
(
  input  logic        clk_i,
  input  logic        rst_ni,
  input  logic [63:0] line_i,
  input  logic        miss_i,
  input  logic        join_i,
  input  logic        full_i,
  input  logic        end_i,
  input  logic        refill_i,
  input  logic        error_i,
  input  logic [63:0] refill_line_i,
  output logic        asleep_o,
  output logic        arrives_o,
  output logic        fails_o,
  output logic        lacks_o,
  input  logic        asks_i,
  input  logic        take_i,
  output logic        urgent_o,
  input  logic [1:0]  lacks_i,         // writer, table
  output logic [1:0]  turn_o
);
  refill_wait u_refill_wait (
    .clk_i, .rst_ni, .line_i(line_t'(line_i)), .miss_i, .join_i, .full_i, .end_i,
    .refill_i('{valid: refill_i, error: error_i, line: line_t'(refill_line_i), default: '0}),
    .asleep_o, .arrives_o, .fails_o, .lacks_o
  );
  port_wait u_port_wait (.clk_i, .rst_ni, .asks_i, .take_i, .urgent_o);
  mshr_turn u_mshr_turn (.clk_i, .rst_ni, .writer_i(lacks_i[1]), .table_i(lacks_i[0]), .turn_o);
endmodule
