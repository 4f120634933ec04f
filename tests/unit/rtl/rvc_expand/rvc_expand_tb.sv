// rvc_expand with flat ports.
module rvc_expand_tb (
  input  logic [15:0] insn_i,
  output logic [31:0] insn_o
);
  rvc_expand u_rvc_expand (.insn_i, .insn_o);
endmodule
