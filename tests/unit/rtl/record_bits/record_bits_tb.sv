// The records' fields by name, out of bits: what build/CONFIG/gen/record_bits.h must find in the same bits.
module record_bits_tb
  import config_pkg::*;
  import records_pkg::*;
(
  input  logic [2047:0]         bits_i,    // a record of each kind in them, from bit 0 on
  output logic [31:0]           bundle_size_o,
  output logic [31:0]           sample_size_o,
  output logic [31:0]           oir_size_o,
  // those that exist once, in the order of tables/records.tsv, the last one lowest
  output logic [35:0][63:0]     field_o,
  output logic [5:0][7:0][63:0] of_lane_o  // bundle's pc, insn, psv, dispatch_pc; sample's addr, psv
);
  commit_bundle_t b;
  sample_t s;
  oir_t o;
  assign b = bits_i[$bits(b)-1:0];
  assign s = bits_i[$bits(s)-1:0];
  assign o = bits_i[$bits(o)-1:0];
  assign bundle_size_o = $bits(b);
  assign sample_size_o = $bits(s);
  assign oir_size_o = $bits(o);
  assign field_o = {
      64'(b.valid), 64'(b.commit), 64'(b.mispredict), 64'(b.flush), 64'(b.first), 64'(b.oldest), 64'(b.rob_empty),
      64'(b.exception),
      64'(b.interrupt), 64'(b.replay), 64'(b.cause), b.exception_pc, 64'(b.exception_psv), 64'(b.priv), 64'(b.space),
      64'(b.redirect),
      64'(b.fetch_valid), b.fetch_pc, 64'(b.dispatch_valid), 64'(b.dispatch_rob),
      64'(s.state), 64'(s.valid), 64'(s.oldest), 64'(s.exception), 64'(s.flush), 64'(s.mispredict), 64'(s.priv),
      64'(s.space),
      64'(o.valid), o.pc, 64'(o.mispredict), 64'(o.flush), 64'(o.exception), 64'(o.psv), 64'(o.priv), 64'(o.space)};
  always_comb begin
    of_lane_o = '0;
    for (int i = 0; i < CoreWidth; i++) begin
      of_lane_o[0][i] = b.pc[i];
      of_lane_o[1][i] = 64'(b.insn[i]);
      of_lane_o[2][i] = 64'(b.psv[i]);
      of_lane_o[3][i] = b.dispatch_pc[i];
      of_lane_o[4][i] = s.addr[i];
      of_lane_o[5][i] = 64'(s.psv[i]);
    end
  end
endmodule
