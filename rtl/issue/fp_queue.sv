// Floating-point issue queue with its payload, up to the register read stage.
//
//   dispatch | ask, grant (IS) | rr_*_o: register read (RR) | EX1
//
// Port 0 has the divider; every port takes everything else.
module fp_queue
  import config_pkg::*;
  import core_pkg::*;
  import fp_pkg::*;
  import port_pkg::*;
  import issue_pkg::*;
(
  input  logic clk_i,
  input  logic rst_ni,
  input  squash_t squash_i,
  // dispatch
  input  logic [CoreWidth-1:0] want_i,
  output logic [CoreWidth-1:0] full_o,
  input  logic [CoreWidth-1:0] fire_i,
  input  fp_uop_t uop_i [CoreWidth],
  input  logic [CoreWidth-1:0] ready1_i,
  input  logic [CoreWidth-1:0] ready2_i,
  input  logic [CoreWidth-1:0] ready3_i,
  // wakes
  input  wake_t wake_i [Wakes],
  input  logic div_free_i,                     // no division or square root is under way
  // RR
  output logic [FpArrays-1:0] rr_valid_o,
  output fp_uop_t rr_uop_o [FpArrays]
);
  schedule_t lane [CoreWidth];
  logic [CoreWidth-1:0] gated;
  logic [FpArrays-1:0] ports [CoreWidth];
  for (genvar i = 0; i < CoreWidth; i++) begin : gen_lane
    assign gated[i] = uop_i[i].op == FPU_DIV || uop_i[i].op == FPU_SQRT;
    assign lane[i] = '{rob: uop_i[i].rob, pd: uop_i[i].pd, ps1: uop_i[i].ps1, ps2: uop_i[i].ps2, ps3: uop_i[i].ps3,
                       ready1: ready1_i[i], ready2: ready2_i[i], ready3: ready3_i[i], fast: 1'b0, gated: gated[i],
                       split: 1'b0, barrier: 1'b0, waits: 1'b0};
    assign ports[i] = gated[i] ? FpArrays'(1) : '1;
  end

  /* verilator lint_off UNUSEDSIGNAL */  // nothing here has its result a cycle after issue
  wake_t no_wake [FpArrays];
  /* verilator lint_on UNUSEDSIGNAL */

  /* verilator lint_off UNUSEDSIGNAL */  // all have one part
  mem_part_e no_part [FpArrays];
  logic [FpArrays-1:0] no_gated;  // fp_divsqrt looks at the operation
  /* verilator lint_on UNUSEDSIGNAL */
  payload_queue #(.Entries(FpIqEntries), .Ports(FpArrays), .Three(1'b1), .payload_t(fp_uop_t)) u_queue (
    .clk_i, .rst_ni, .squash_i,
    .want_i, .full_o, .fire_i, .lane_i(lane), .ports_i(ports), .payload_i(uop_i),
    .wake_i, .gate_open_i(div_free_i), .hold_i('0), .wake_o(no_wake),
    .rr_valid_o, .rr_gated_o(no_gated), .rr_o(rr_uop_o), .rr_part_o(no_part)
  );
endmodule
