// dcache_hold with flat ports; lines by their numbers.
module dcache_hold_tb
  import config_pkg::*;
  import dcache_pkg::*;
(
  input  logic        clk_i,
  input  logic        rst_ni,
  input  logic        arrives_i,
  input  logic [63:0] line_i,
  input  logic        own_i,
  input  logic [1:0]  hold_i,
  input  logic [4:0]  transaction_i,
  input  logic        hit_i,
  input  logic        write_i,
  input  logic [63:0] hit_line_i,
  output logic        done_o,
  output logic [4:0]  done_transaction_o
);
  line_t line [MemPorts];
  refill_t refill;
  arrival_t arrival;
  hub_pkg::hub_done_t done;
  always_comb begin
    for (int p = 0; p < MemPorts; p++) line[p] = line_t'(hit_line_i);
    refill = '0;
    refill.line = line_t'(line_i);
    arrival = '0;
    arrival.asked.kind = own_i ? hub_pkg::HUB_OWN : hub_pkg::HUB_GET;
    arrival.asked.hold = hold_e'(hold_i);
    arrival.transaction = transaction_i;
  end
  dcache_hold u_dut (
    .clk_i, .rst_ni, .arrives_i, .refill_i(refill), .arrival_i(arrival), .hit_i({MemPorts{hit_i}}),
    .write_i({MemPorts{write_i}}), .line_i(line), .done_o(done)
  );
  assign done_o = done.valid;
  assign done_transaction_o = done.transaction;
endmodule
