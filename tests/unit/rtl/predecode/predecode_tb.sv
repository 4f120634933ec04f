// predecode and packet_end together, combinational, with flat ports.
module predecode_tb
  import config_pkg::*;
  import fetch_pkg::*;
(
  output logic [31:0] fetch_width_o,
  input  logic [15:0] parcels_i [16],
  input  logic [63:0] block_i,          // address, aligned
  input  logic [3:0]  start_i,
  input  logic        half_valid_i,
  input  logic [15:0] half_i,
  input  logic [15:0] predict_taken_i,
  input  logic        guess_taken_i,
  input  logic [3:0]  guess_slot_i,
  input  logic [63:0] guess_target_i,
  input  logic [63:0] ras_top_i,
  output logic [15:0] ends_o,
  output logic [15:0] rvc_o,
  output logic [31:0] insn_o [16],
  output logic [2:0]  kind_o [16],
  output logic        half_valid_o,
  output logic [15:0] half_o,
  output logic        taken_o,
  output logic [3:0]  slot_o,
  output logic [15:0] keep_o,
  output logic [2:0]  end_kind_o,
  output logic [63:0] link_o,
  output logic [63:0] next_pc_o,
  output logic        agrees_o
);
  parcels_t parcels;
  slots_t ends, rvc, branch, jump, keep;
  logic [31:0] insn [FetchWidth];
  cfi_e kind [FetchWidth];
  cfi_e end_kind;
  slot_t slot;

  always_comb begin
    for (int unsigned s = 0; s < FetchWidth; s++) parcels[s] = parcels_i[s];
    for (int unsigned s = 0; s < 16; s++) begin
      insn_o[s] = '0;
      kind_o[s] = '0;
    end
    for (int unsigned s = 0; s < FetchWidth; s++) begin
      insn_o[s] = insn[s];
      kind_o[s] = kind[s];
    end
  end

  predecode u_predecode (
    .valid_i(1'b1), .parcels_i(parcels), .start_i(slot_t'(start_i)), .half_valid_i, .half_i, .ends_o(ends), .rvc_o(rvc),
    .branch_o(branch), .jump_o(jump), .insn_o(insn), .kind_o(kind), .half_valid_o, .half_o
  );
  packet_end u_end (
    .block_i(block_i[63:OffsetBits]), .rvc_i(rvc), .branch_i(branch), .jump_i(jump), .insn_i(insn), .kind_i(kind),
    .predict_taken_i(slots_t'(predict_taken_i)), .guess_taken_i, .guess_slot_i(slot_t'(guess_slot_i)), .guess_target_i,
    .ras_top_i, .taken_o, .slot_o(slot), .keep_o(keep), .kind_o(end_kind), .link_o, .next_pc_o, .agrees_o
  );

  assign fetch_width_o = FetchWidth;
  assign ends_o = 16'(ends);
  assign rvc_o = 16'(rvc);
  assign slot_o = 4'(slot);
  assign keep_o = 16'(keep);
  assign end_kind_o = end_kind;
endmodule
