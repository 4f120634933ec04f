// Stands for the decoder where vectors are followed: an instruction may be decoded to anything (its word says what),
// and the bits of its fetch stay with it. PROVE_DECODER in psv_decoder_proof shows that they do in the decoder itself.
module decoder
  import instructions_pkg::*;
  import core_pkg::*;
  import decode_pkg::*;
(
  /* verilator lint_off UNUSEDSIGNAL */  // a stub
  input  fetch_insn_t insn_i,
  input  logic fs_off_i,
  /* verilator lint_on UNUSEDSIGNAL */
  output decoded_t uop_o,
  output logic [31:0] imm_o
);
  always_comb begin
    imm_o = '0;
    uop_o = '0;
    uop_o.unit = unit_e'(insn_i.insn[$bits(unit_e)-1:0]);
    uop_o.serial = insn_i.insn[8];
    uop_o.dyn_rm = insn_i.insn[9];
    uop_o.rd_valid = insn_i.insn[10];
    uop_o.dr_l1 = insn_i.dr_l1;
    uop_o.dr_tlb = insn_i.dr_tlb;
  end
endmodule
