// Ideal L1 instruction cache: in F1, every block that fetch wants is present. Combinational.
//
// It reads what the data cache has, too: code that was stored is seen before its fence.i, which the architecture
// allows.
`define IDEAL gen_ideal_parts.u_ideal
module ideal_l1i
  import config_pkg::*;
  import core_pkg::*;
  import fetch_pkg::*;
  import ideal_pkg::*;
(
  input  logic     use_i,
  input  word_t    addr_i,     // of the block
  // what the arrays say
  input  logic     hit_i,
  input  parcels_t parcels_i,
  output logic     hit_o,
  output parcels_t parcels_o
);
  always_comb begin
    hit_o = hit_i;
    parcels_o = parcels_i;
    if (`IDEAL.parts_o.l1i && use_i) begin
      hit_o = 1'b1;
      for (int w = 0; w < FetchWidth / 4; w++)
        parcels_o[4*w +: 4] = tipoff_ideal_read(`IDEAL.now_o, addr_i + word_t'(8 * w));
    end
  end
endmodule
`undef IDEAL
