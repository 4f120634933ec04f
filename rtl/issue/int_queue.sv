// Integer issue queue with its payload, up to the register read stage.
//
//   dispatch | ask, grant (IS) | rr_*_o: register read (RR) | EX
//
// Ports 0 .. BranchPorts-1 resolve branches; MulPort and DivPort have the multiplier and the divider; CSR instructions
// and sfence.vma use port 0. Every port takes what one ALU can do.
module int_queue
  import config_pkg::*;
  import instructions_pkg::*;
  import core_pkg::*;
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
  input  int_uop_t uop_i [CoreWidth],
  input  word_t pc_i [CoreWidth],
  input  logic [31:0] imm_i [CoreWidth],
  input  logic [CoreWidth-1:0] ready1_i,
  input  logic [CoreWidth-1:0] ready2_i,
  // wakes
  input  wake_t wake_i [Wakes],
  output wake_t wake_o [IntPorts],
  input  logic div_free_i,                     // no division is under way
  // RR
  output logic [IntPorts-1:0] rr_valid_o,
  output int_uop_t rr_uop_o [IntPorts],
  output word_t rr_pc_o [IntPorts],
  output logic [31:0] rr_imm_o [IntPorts],
  output logic rr_divides_o                    // port DivPort has a division
);
  typedef struct packed {
    int_uop_t uop;
    word_t pc;
    logic [31:0] imm;
  } payload_t;

  // ---- what the scheduler needs to know of each lane ----
  schedule_t lane [CoreWidth];
  payload_t payload [CoreWidth];
  logic [IntPorts-1:0] ports [CoreWidth];

  function automatic logic [IntPorts-1:0] ports_of(input unit_e unit);
    case (unit)
      UNIT_BRANCH: ports_of = IntPorts'((1 << BranchPorts) - 1);
      UNIT_JALR, UNIT_CSR, UNIT_FENCE: ports_of = IntPorts'(1);
      UNIT_MUL: ports_of = IntPorts'(1 << MulPort);
      UNIT_DIV: ports_of = IntPorts'(1 << DivPort);
      default: ports_of = '1;
    endcase
  endfunction

  for (genvar i = 0; i < CoreWidth; i++) begin : gen_lane
    assign lane[i] = '{rob: uop_i[i].rob, pd: uop_i[i].pd, ps1: uop_i[i].ps1, ps2: uop_i[i].ps2, ps3: '0,
                       ready1: ready1_i[i], ready2: ready2_i[i], ready3: 1'b1,
                       fast: uop_i[i].pd_valid && uop_i[i].unit != UNIT_MUL && uop_i[i].unit != UNIT_DIV,
                       gated: uop_i[i].unit == UNIT_DIV, split: 1'b0, barrier: 1'b0, waits: 1'b0};
    assign ports[i] = ports_of(uop_i[i].unit);
    assign payload[i] = '{uop: uop_i[i], pc: pc_i[i], imm: imm_i[i]};
  end

  payload_t rr [IntPorts];
  /* verilator lint_off UNUSEDSIGNAL */  // all have one part; one port divides
  mem_part_e no_part [IntPorts];
  logic [IntPorts-1:0] gated;
  /* verilator lint_on UNUSEDSIGNAL */
  payload_queue #(.Entries(IntIqEntries), .Ports(IntPorts), .payload_t(payload_t)) u_queue (
    .clk_i, .rst_ni, .squash_i,
    .want_i, .full_o, .fire_i, .lane_i(lane), .ports_i(ports), .payload_i(payload),
    .wake_i, .gate_open_i(div_free_i), .hold_i('0), .wake_o,
    .rr_valid_o, .rr_gated_o(gated), .rr_o(rr), .rr_part_o(no_part)
  );
  for (genvar p = 0; p < IntPorts; p++) begin : gen_rr
    assign rr_uop_o[p] = rr[p].uop;
    assign rr_pc_o[p] = rr[p].pc;
    assign rr_imm_o[p] = rr[p].imm;
  end
  assign rr_divides_o = gated[DivPort];
endmodule
