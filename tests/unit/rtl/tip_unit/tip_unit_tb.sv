// tip_unit with its sample records as plain ports of fixed size.
module tip_unit_tb
  import config_pkg::*;
  import events_pkg::*;
  import records_pkg::*;
(
  input  logic        clk_i,
  input  logic        rst_ni,
  output logic [3:0]  width_o,
  input  logic        trigger_i,
  input  logic [1:0]  state_i,
  input  logic [7:0]  valid_i,
  input  logic [2:0]  oldest_i,
  input  logic [2:0]  flags_i,       // exception, flush, mispredict
  input  logic [63:0] addr_i [8],
  input  logic [15:0] psv_i [8],
  input  logic        dispatch_valid_i,
  input  logic [63:0] dispatch_pc_i,
  input  logic        acknowledge_i,
  output logic        taken_o,
  output logic        collision_o,
  output logic        ready_o,
  output logic        ready_pulse_o,
  output logic [1:0]  state_o,
  output logic [7:0]  valid_o,
  output logic [2:0]  oldest_o,
  output logic [2:0]  flags_o,
  output logic [63:0] addr_o [8],
  output logic [15:0] psv_o [8]
);
  sample_t select, sample;
  assign width_o = 4'(CoreWidth);
  always_comb begin
    select.state = state_e'(state_i);
    select.valid = valid_i[CoreWidth-1:0];
    select.oldest = oldest_i[LaneBits-1:0];
    {select.exception, select.flush, select.mispredict} = flags_i;
    for (int i = 0; i < CoreWidth; i++) begin
      select.addr[i] = addr_i[i];
      select.psv[i] = psv_i[i][PsvBits-1:0];
    end
  end
  tip_unit u_tip_unit (
    .clk_i(clk_i), .rst_ni(rst_ni), .trigger_i(trigger_i), .select_i(select), .dispatch_valid_i(dispatch_valid_i),
    .dispatch_pc_i(dispatch_pc_i), .acknowledge_i(acknowledge_i), .taken_o(taken_o), .collision_o(collision_o),
    .ready_o(ready_o), .ready_pulse_o(ready_pulse_o), .sample_o(sample)
  );
  assign state_o = sample.state;
  assign valid_o = 8'(sample.valid);
  assign oldest_o = 3'(sample.oldest);
  assign flags_o = {sample.exception, sample.flush, sample.mispredict};
  for (genvar i = 0; i < 8; i++) begin : gen_lane
    if (i < CoreWidth) begin : gen_used
      assign addr_o[i] = sample.addr[i];
      assign psv_o[i] = 16'(sample.psv[i]);
    end else begin : gen_unused
      assign addr_o[i] = '0;
      assign psv_o[i] = '0;
    end
  end
endmodule
