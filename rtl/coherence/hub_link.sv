// A link between a tile and the hub: each message arrives a fixed number of cycles after it was sent, in order. Nothing
// waits in it, and no ready wire crosses it: the protocol bounds what is on its way (hub_pkg).
//
//   tile, cycle t --> the hub, cycle t + Latency        the hub, cycle t --> tile, cycle t + Latency
module hub_link
  import hub_pkg::*;
#(
  parameter int unsigned Latency = 4   // at least 1: a chain of registers
) (
  input  logic clk_i,
  input  logic rst_ni,
  input  hub_out_t tile_i,
  output hub_out_t hub_o,
  input  hub_in_t hub_i,
  output hub_in_t tile_o
);
  hub_out_t up_q [Latency];
  hub_in_t down_q [Latency];
  assign hub_o = up_q[Latency-1];
  assign tile_o = down_q[Latency-1];
  always_ff @(posedge clk_i)
    for (int i = 0; i < int'(Latency); i++) begin
      up_q[i] <= i == 0 ? tile_i : up_q[i > 0 ? i - 1 : 0];
      down_q[i] <= i == 0 ? hub_i : down_q[i > 0 ? i - 1 : 0];
      if (!rst_ni) begin
        {up_q[i].request.valid, up_q[i].up.valid, up_q[i].done.valid} <= '0;
        {down_q[i].down.valid, down_q[i].answer.valid} <= '0;
      end
    end
endmodule
