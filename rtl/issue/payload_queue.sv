// An issue queue with its payload, up to the register read stage.
//
//   dispatch: lane_i, payload_i | ask, grant (IS) | rr_o: register read (RR)
//
// Lane and payload are two views of one instruction: what the scheduler (issue_queue) has to know of it, and what
// execution has to know. A port that is granted in cycle t has valid rr_o in t+1, unless a squash of cycle t kills it.
module payload_queue
  import config_pkg::*;
  import core_pkg::*;
  import port_pkg::*;
  import issue_pkg::*;
#(
  parameter int unsigned Entries = 12,
  parameter int unsigned Ports = 2,
  parameter bit Three = 1'b0,                      // instructions may have a third source
  parameter bit Ordered = 1'b0,                    // some wait for barriers
  parameter type payload_t = logic
) (
  input  logic clk_i,
  input  logic rst_ni,
  input  squash_t squash_i,
  // dispatch: lanes in program order
  input  lanes_t want_i,
  output lanes_t full_o,
  input  lanes_t fire_i,
  input  schedule_t lane_i [CoreWidth],
  input  logic [Ports-1:0] ports_i [CoreWidth],    // ports that can take it
  input  payload_t payload_i [CoreWidth],
  // operands
  input  wake_t wake_i [Wakes],
  input  logic gate_open_i,
  input  logic [Ports-1:0] hold_i,                 // ports that take nothing in this cycle
  // IS
  output wake_t wake_o [Ports],                    // of those that take one cycle
  // RR
  output logic [Ports-1:0] rr_valid_o,
  output logic [Ports-1:0] rr_gated_o,             // ... and the gate let it through: a register by itself
  output payload_t rr_o [Ports],
  output mem_part_e rr_part_o [Ports]
);
  localparam int unsigned SlotBits = $clog2(Entries);
  logic [SlotBits-1:0] slot [CoreWidth], grant_slot [Ports];
  logic [Ports-1:0] grant, killed, gated;
  mem_part_e part [Ports];
  payload_t payload [Ports];

  issue_queue #(.Entries(Entries), .Ports(Ports), .WakeCount(Wakes), .Three(Three), .Ordered(Ordered)) u_scheduler (
    .clk_i, .rst_ni, .squash_i,
    .want_i, .full_o, .slot_o(slot), .fire_i, .lane_i, .ports_i,
    .wake_i, .gate_open_i, .hold_i,
    .grant_o(grant), .grant_killed_o(killed), .grant_slot_o(grant_slot), .grant_part_o(part), .grant_gated_o(gated),
    .wake_o
  );

  mp_ram #(.Words(Entries), .Width($bits(payload_t)), .Reads(Ports), .Writes(CoreWidth)) u_payload (
    .clk_i, .rst_ni, .read_i(grant), .read_addr_i(grant_slot), .data_o(payload),
    .write_i(fire_i & want_i), .write_addr_i(slot), .write_data_i(payload_i)
  );

  for (genvar p = 0; p < Ports; p++) begin : gen_rr
    always_ff @(posedge clk_i) begin
      rr_valid_o[p] <= rst_ni && grant[p] && !killed[p];
      rr_gated_o[p] <= rst_ni && gated[p] && !killed[p];
      if (grant[p]) begin
        rr_o[p] <= payload[p];
        rr_part_o[p] <= part[p];
      end
    end
  end
endmodule
