// Which physical registers hold their value already: what a dispatching instruction need not wait for.
//
// Lanes are in program order; a lane that reads what an earlier lane of its group writes finds it busy. Wakes of this
// cycle count. Combinational lookup. A wake is the latest of all inputs (it comes from what is being granted), so that
// it is compared with the names that are looked up instead of being looked up itself.
module busy_table
  import config_pkg::*;
  import core_pkg::*;
  import port_pkg::*;
  import rename_pkg::*;
(
  input  logic clk_i,
  input  logic rst_ni,
  // dispatch
  input  logic [CoreWidth-1:0] alloc_i,        // lane has a destination
  input  logic [CoreWidth-1:0] fire_i,
  input  preg_t pd_i [CoreWidth],
  input  preg_t ps1_i [CoreWidth],
  input  preg_t ps2_i [CoreWidth],
  input  preg_t ps3_i [CoreWidth],
  output logic [CoreWidth-1:0] ready1_o,
  output logic [CoreWidth-1:0] ready2_o,
  output logic [CoreWidth-1:0] ready3_o,
  // registers that get their value
  input  wake_t wake_i [Wakes]
);
  logic [Pregs-1:0] ready_q, woken, ready_d;

  always_comb begin
    woken = ready_q;
    for (int w = 0; w < Wakes; w++) if (wake_i[w].valid) woken[wake_i[w].tag] = 1'b1;
  end

  // Of lane: a lane before it writes it.
  function automatic logic in_group(input int lane, input preg_t preg);
    in_group = 1'b0;
    for (int k = 0; k < lane; k++) if (alloc_i[k] && pd_i[k] == preg) in_group = 1'b1;
  endfunction
  // Ready, or woken in this cycle.
  function automatic logic available(input preg_t preg);
    available = ready_q[preg];
    if (!available) for (int w = 0; w < Wakes; w++) if (wake_i[w].valid && wake_i[w].tag == preg) available = 1'b1;
  endfunction

  always_comb
    for (int i = 0; i < CoreWidth; i++) begin
      ready1_o[i] = !in_group(i, ps1_i[i]) && available(ps1_i[i]);
      ready2_o[i] = !in_group(i, ps2_i[i]) && available(ps2_i[i]);
      ready3_o[i] = !in_group(i, ps3_i[i]) && available(ps3_i[i]);
    end

  always_comb begin
    ready_d = woken;
    for (int i = 0; i < CoreWidth; i++) if (alloc_i[i] && fire_i[i]) ready_d[pd_i[i]] = 1'b0;
  end

  always_ff @(posedge clk_i)
    if (!rst_ni) ready_q <= '1;
    else ready_q <= ready_d;

  `include "assert.svh"
  `ASSERT(X0Ready, ready_q[0])
endmodule
