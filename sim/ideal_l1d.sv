// Ideal L1 data cache: after the lookups of rtl/lsu/dcache.sv, every one hits. Combinational in M1.
//
// What is written goes to memory at once (sim/ideal.sv), and no line is ever in the arrays.
`define IDEAL gen_ideal_parts.u_ideal
module ideal_l1d
  import config_pkg::*;
  import core_pkg::*;
  import ideal_pkg::*;
(
  input  logic [MemPorts-1:0] look_valid_i,
  input  word_t look_addr_i [MemPorts],
  // what the arrays say
  input  logic [MemPorts-1:0] hit_i,
  input  word_t word_i [MemPorts],
  output logic [MemPorts-1:0] hit_o,
  output word_t word_o [MemPorts]
);
  always_comb begin
    hit_o = hit_i;
    for (int p = 0; p < MemPorts; p++) begin
      word_o[p] = word_i[p];
      if (`IDEAL.parts_o.l1d && look_valid_i[p]) begin
        hit_o[p] = 1'b1;
        word_o[p] = tipoff_ideal_read(`IDEAL.now_o, look_addr_i[p]);
      end
    end
  end
endmodule
`undef IDEAL
