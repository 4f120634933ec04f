// The decoder keeps the bits of an instruction's fetch, whatever the instruction: combinational, for every input.
module psv_decoder_proof
  import core_pkg::*;
  import decode_pkg::*;
(
  input logic clk_i,
  input fetch_insn_t insn_i,
  input logic fs_off_i
);
  logic seen_q = 1'b0;
  always_ff @(posedge clk_i) seen_q <= 1'b1;
  decoded_t uop;
  decoder u_decoder (.insn_i, .fs_off_i, .uop_o(uop), .imm_o());

  always_comb begin
`ifdef PROVE_DECODER
    assert (uop.dr_l1 == insn_i.dr_l1 && uop.dr_tlb == insn_i.dr_tlb);
    assert (as_illegal(uop).dr_l1 == insn_i.dr_l1 && as_illegal(uop).dr_tlb == insn_i.dr_tlb);
`endif
`ifdef COVER
    cover (seen_q && uop.dr_l1 && !uop.dr_tlb && uop.dyn_rm && uop.rvc == 1'b0);
`endif
  end
endmodule
