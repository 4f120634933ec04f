// Memory issue queue with its payload, through register read to the load/store unit.
//
//   dispatch | ask, grant (IS) | rr_ps*_o -> rr_data*_i: register read (RR) | ex_uop_o: EX
//
// Loads and stores issue as soon as their operands are ready, oldest first, loads past stores whose address is not
// known yet. With the key issue.split_stores a store whose address is known before its data issues twice, for each.
// A load that the wait table names asks only when all older stores have issued, be it with the address alone: those
// whose data it needs it meets in the store queue. AMOs use port 0.
// A port that is held in cycle t has no instruction in EX in t+2.
module mem_queue
  import config_pkg::*;
  import instructions_pkg::*;
  import core_pkg::*;
  import port_pkg::*;
  import issue_pkg::*;
  import rob_pkg::*;
(
  input  logic clk_i,
  input  logic rst_ni,
  input  squash_t squash_i,
  // dispatch
  input  logic [CoreWidth-1:0] want_i,
  output logic [CoreWidth-1:0] full_o,
  input  logic [CoreWidth-1:0] fire_i,
  input  mem_entry_t uop_i [CoreWidth],
  input  logic [31:0] imm_i [CoreWidth],
  input  logic [CoreWidth-1:0] ready1_i,
  input  logic [CoreWidth-1:0] ready2_i,
  input  logic [CoreWidth-1:0] waits_i,
  // wakes
  input  wake_t wake_i [Wakes],
  // IS
  input  logic [MemPorts-1:0] hold_i,          // nothing issues on these ports: the load/store unit needs them
  // RR
  output preg_t rr_ps1_o [MemPorts],
  output preg_t rr_ps2_o [MemPorts],
  input  word_t rr_data1_i [MemPorts],
  input  word_t rr_data2_i [MemPorts],
  output rob_ref_t rr_issue_o [MemPorts],      // observers: an instruction, at its first issue if it issues twice
  // EX
  output mem_uop_t ex_uop_o [MemPorts]
);
  typedef struct packed {
    mem_entry_t uop;
    logic [11:0] imm;
  } payload_t;
  payload_t payload [CoreWidth], rr_q [MemPorts];
  logic [MemPorts-1:0] rr_valid_q;
  mem_part_e rr_part_q [MemPorts];

  schedule_t lane [CoreWidth];
  logic [CoreWidth-1:0] store;
  logic [MemPorts-1:0] ports [CoreWidth];
  for (genvar i = 0; i < CoreWidth; i++) begin : gen_lane
    assign store[i] = uop_i[i].unit == UNIT_STORE;
    assign lane[i] = '{rob: uop_i[i].rob, pd: uop_i[i].pd, ps1: uop_i[i].ps1, ps2: uop_i[i].ps2, ps3: '0,
                       ready1: ready1_i[i], ready2: ready2_i[i], ready3: 1'b1, fast: 1'b0, gated: 1'b0,
                       split: SplitStores != 0 && store[i], barrier: store[i], waits: waits_i[i]};
    assign ports[i] = uop_i[i].unit == UNIT_AMO ? MemPorts'(1) : '1;
    assign payload[i] = '{uop: uop_i[i], imm: imm_i[i][11:0]};
  end

  /* verilator lint_off UNUSEDSIGNAL */  // nothing here has its result a cycle after issue
  wake_t no_wake [MemPorts];
  logic [MemPorts-1:0] no_gated;
  /* verilator lint_on UNUSEDSIGNAL */

  payload_queue #(.Entries(MemIqEntries), .Ports(MemPorts), .Ordered(1'b1), .payload_t(payload_t)) u_queue (
    .clk_i, .rst_ni, .squash_i,
    .want_i, .full_o, .fire_i, .lane_i(lane), .ports_i(ports), .payload_i(payload),
    .wake_i, .gate_open_i(1'b1), .hold_i, .wake_o(no_wake),
    .rr_valid_o(rr_valid_q), .rr_gated_o(no_gated), .rr_o(rr_q), .rr_part_o(rr_part_q)
  );

  for (genvar p = 0; p < MemPorts; p++) begin : gen_port
    assign rr_ps1_o[p] = rr_q[p].uop.ps1;
    assign rr_ps2_o[p] = rr_q[p].uop.ps2;
    assign rr_issue_o[p] = '{valid: rr_valid_q[p] && rr_part_q[p] != PART_DATA, rob: rr_q[p].uop.rob};

    always_ff @(posedge clk_i) begin
      ex_uop_o[p].valid <= rst_ni && rr_valid_q[p] && !rob_killed(squash_i, rr_q[p].uop.rob);
      if (rr_valid_q[p]) begin
        ex_uop_o[p].part <= rr_part_q[p];
        ex_uop_o[p].op <= rr_q[p].uop.op;
        ex_uop_o[p].unit <= rr_q[p].uop.unit;
        ex_uop_o[p].rob <= rr_q[p].uop.rob;
        ex_uop_o[p].lq <= rr_q[p].uop.lq;
        ex_uop_o[p].sq <= rr_q[p].uop.sq;
        ex_uop_o[p].pd <= rr_q[p].uop.pd;
        ex_uop_o[p].pd_valid <= rr_q[p].uop.pd_valid;
        ex_uop_o[p].base <= rr_data1_i[p];
        ex_uop_o[p].data <= rr_data2_i[p];
        ex_uop_o[p].imm <= rr_q[p].imm;
      end
    end
  end
endmodule
