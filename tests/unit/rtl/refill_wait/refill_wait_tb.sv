// refill_wait with flat ports, and port_wait.
module refill_wait_tb
  import lsu_pkg::*;
(
  input  logic        clk_i,
  input  logic        rst_ni,
  input  logic [63:0] line_i,
  input  logic        miss_i,
  input  logic        sleep_i,
  input  logic        end_i,
  input  logic        refill_i,
  input  logic        error_i,
  input  logic [63:0] refill_line_i,
  output logic        asleep_o,
  output logic        arrives_o,
  output logic        fails_o,
  input  logic        asks_i,
  input  logic        take_i,
  output logic        urgent_o
);
  refill_wait u_refill_wait (
    .clk_i, .rst_ni, .line_i(line_t'(line_i)), .miss_i, .sleep_i, .end_i,
    .refill_i('{valid: refill_i, error: error_i, line: line_t'(refill_line_i), default: '0}),
    .asleep_o, .arrives_o, .fails_o
  );
  port_wait u_port_wait (.clk_i, .rst_ni, .asks_i, .take_i, .urgent_o);
endmodule
