// Fetch buffer with flat ports of a fixed size.
module fetch_buffer_tb
  import config_pkg::*;
  import core_pkg::*;
  import fetch_pkg::*;
(
  input  logic        clk_i,
  input  logic        rst_ni,
  output logic [31:0] core_width_o,
  output logic [31:0] fetch_width_o,
  output logic [31:0] entries_o,
  input  logic        flush_i,
  output logic        ready_o,
  input  logic        push_i,
  input  logic [63:0] block_i,         // address
  input  logic [15:0] slots_i,
  input  logic [15:0] rvc_i,
  input  logic [15:0] taken_i,
  input  logic [31:0] insn_i [16],
  input  logic [7:0]  ftq_i,
  input  logic        fault_i,
  input  logic [1:0]  missed_i,        // tlb, l1
  output logic [7:0]  valid_o,
  output logic [63:0] pc_o [8],
  output logic [31:0] insn_o [8],
  output logic [7:0]  ftq_o [8],
  output logic [4:0]  flags_o [8],     // rvc, taken, fault, dr_l1, dr_tlb
  input  logic [7:0]  take_i
);
  logic [31:0] insn [FetchWidth];
  fetch_insn_t out [CoreWidth];
  logic [CoreWidth-1:0] valid;
  fetch_buffer u_dut (
    .clk_i, .rst_ni, .flush_i, .ready_o, .push_i, .push_block_i(block_i[63:OffsetBits]),
    .push_slots_i(slots_t'(slots_i)), .push_rvc_i(slots_t'(rvc_i)), .push_taken_i(slots_t'(taken_i)),
    .push_insn_i(insn), .push_ftq_i(ftq_idx_t'(ftq_i)), .push_fault_i(fault_i), .push_missed_i(missed_i), .insn_o(out),
    .valid_o(valid), .take_i(take_i[CoreWidth-1:0])
  );
  always_comb begin
    for (int unsigned s = 0; s < FetchWidth; s++) insn[s] = insn_i[s];
    for (int unsigned l = 0; l < 8; l++) begin
      pc_o[l] = '0;
      insn_o[l] = '0;
      ftq_o[l] = '0;
      flags_o[l] = '0;
    end
    for (int unsigned l = 0; l < CoreWidth; l++) begin
      pc_o[l] = out[l].pc;
      insn_o[l] = out[l].insn;
      ftq_o[l] = 8'(out[l].ftq);
      flags_o[l] = {out[l].rvc, out[l].pred_taken, out[l].fault, out[l].dr_l1, out[l].dr_tlb};
    end
  end
  assign valid_o = 8'(valid);
  assign core_width_o = CoreWidth;
  assign fetch_width_o = FetchWidth;
  assign entries_o = FetchBuffer;
endmodule
