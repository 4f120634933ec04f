// window_psv with flat ports: lanes by their bits.
module window_psv_tb
  import config_pkg::*;
  import events_pkg::*;
(
  output logic [31:0] lanes_o,
  output logic [31:0] bits_o,
  output logic [31:0] fl_mb_o,
  input  logic [7:0]  valid_i,
  input  logic [7:0]  done_i,
  input  logic [7:0]  mispredict_i,
  input  logic [15:0] psv_i [8],
  input  logic        raise_i,
  input  logic [2:0]  oldest_i,
  input  logic [15:0] raise_psv_i,
  output logic [7:0]  mispredict_o,
  output logic [15:0] psv_o [8]
);
  psv_t psv [CoreWidth];
  logic [CoreWidth-1:0] mispredict;
  logic [CoreWidth-1:0][PsvBits-1:0] seen;
  for (genvar i = 0; i < 8; i++) begin : gen_lane
    if (i < CoreWidth) begin : gen_there
      assign psv[i] = psv_t'(psv_i[i]);
      assign psv_o[i] = 16'(seen[i]);
    end else begin : gen_none
      assign psv_o[i] = '0;
    end
  end
  window_psv u_dut (
    .valid_i(valid_i[CoreWidth-1:0]), .done_i(done_i[CoreWidth-1:0]), .mispredict_i(mispredict_i[CoreWidth-1:0]),
    .psv_i(psv), .raise_i, .oldest_i(LaneBits'(oldest_i)), .raise_psv_i(psv_t'(raise_psv_i)), .mispredict_o(mispredict),
    .psv_o(seen)
  );
  assign lanes_o = CoreWidth;
  assign bits_o = PsvBits;
  assign fl_mb_o = EvFlMb;
  assign mispredict_o = 8'(mispredict);
endmodule
