// Finds the instructions of a fetch block and what kind of control transfer each is.
//
// Combinational (stage F2). Outputs are by the slot in which an instruction ends. The first half of an instruction
// that goes on in the next block is handed out, and given back with that block.
module predecode
  import config_pkg::*;
  import fetch_pkg::*;
(
  input  logic        valid_i,
  input  parcels_t    parcels_i,
  input  slot_t       start_i,        // first parcel of the packet
  input  logic        half_valid_i,   // an instruction started in the block before (start_i is 0)
  input  logic [15:0] half_i,
  output slots_t      ends_o,         // an instruction ends here
  output slots_t      rvc_o,          // ... and is a 16-bit form
  output slots_t      branch_o,       // ... a conditional branch
  output slots_t      jump_o,         // ... an unconditional transfer
  output logic [31:0] insn_o [FetchWidth],
  output cfi_e        kind_o [FetchWidth],
  output logic        half_valid_o,   // the last parcel starts an instruction
  output logic [15:0] half_o
);
  function automatic logic is_link(input logic [4:0] register);
    is_link = register == 5'd1 || register == 5'd5;
  endfunction

  // Return-stack hints of the unprivileged manual, table "Return-address stack prediction hints".
  function automatic cfi_e kind_of_jalr(input logic [4:0] rd, input logic [4:0] rs1);
    case ({is_link(rd), is_link(rs1)})
      2'b00: kind_of_jalr = CFI_IJUMP;
      2'b01: kind_of_jalr = CFI_RET;
      2'b10: kind_of_jalr = CFI_ICALL;
      default: kind_of_jalr = rd == rs1 ? CFI_ICALL : CFI_SWAP;
    endcase
  endfunction

  // Bits 31:20 play no part: immediates are read where a packet's end is resolved.
  function automatic cfi_e kind_of(input logic [19:0] insn);
    kind_of = CFI_NONE;
    case (insn[6:0])
      7'b1100011: if (insn[14:13] != 2'b01) kind_of = CFI_COND;
      7'b1101111: kind_of = is_link(insn[11:7]) ? CFI_CALL : CFI_JUMP;
      7'b1100111: if (insn[14:12] == 3'b000) kind_of = kind_of_jalr(insn[11:7], insn[19:15]);
      default: ;
    endcase
  endfunction

  function automatic cfi_e kind_of_rvc(input logic [15:0] insn);
    kind_of_rvc = CFI_NONE;
    case ({insn[15:13], insn[1:0]})
      5'b101_01: kind_of_rvc = CFI_JUMP;  // c.j
      5'b110_01, 5'b111_01: kind_of_rvc = CFI_COND;  // c.beqz, c.bnez
      // c.jr, c.jalr
      5'b100_10: if (insn[6:2] == '0 && insn[11:7] != '0) kind_of_rvc = kind_of_jalr({4'd0, insn[12]}, insn[11:7]);
      default: ;
    endcase
  endfunction

  always_comb begin
    logic second;  // this parcel is the second half of an instruction
    logic [15:0] first;
    cfi_e kind;
    second = half_valid_i;
    first = half_i;
    ends_o = '0;
    rvc_o = '0;
    branch_o = '0;
    jump_o = '0;
    for (int unsigned s = 0; s < FetchWidth; s++) begin
      insn_o[s] = '0;
      kind_o[s] = CFI_NONE;
      kind = CFI_NONE;
      if (valid_i && slot_t'(s) >= start_i) begin
        if (second) begin
          ends_o[s] = 1'b1;
          insn_o[s] = {parcels_i[s], first};
          kind = kind_of({parcels_i[s][3:0], first});
          second = 1'b0;
        end else if (parcels_i[s][1:0] == 2'b11) begin
          second = 1'b1;
        end else begin
          ends_o[s] = 1'b1;
          rvc_o[s] = 1'b1;
          insn_o[s] = {16'd0, parcels_i[s]};
          kind = kind_of_rvc(parcels_i[s]);
        end
        first = parcels_i[s];
        kind_o[s] = kind;
        branch_o[s] = kind == CFI_COND;
        jump_o[s] = kind != CFI_COND && kind != CFI_NONE;
      end
    end
    half_valid_o = second;
    half_o = parcels_i[FetchWidth-1];
  end
endmodule
