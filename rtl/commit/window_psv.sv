// Vectors of the oldest instructions as observers see them: what the ROB keeps, and how each ends. Combinational.
//
// FL_MB with a branch or jump that is known to be mispredicted. The oldest, where it is raised (exception, interrupt,
// replay), shows commit_ctrl's vector.
module window_psv
  import config_pkg::*;
  import events_pkg::*;
(
  input  logic [CoreWidth-1:0] valid_i,
  input  logic [CoreWidth-1:0] done_i,
  input  logic [CoreWidth-1:0] mispredict_i,
  input  psv_t psv_i [CoreWidth],
  input  logic raise_i,
  input  logic [LaneBits-1:0] oldest_i,
  input  psv_t raise_psv_i,
  output logic [CoreWidth-1:0] mispredict_o,
  output logic [CoreWidth-1:0][PsvBits-1:0] psv_o
);
  assign mispredict_o = valid_i & done_i & mispredict_i;

  always_comb
    for (int b = 0; b < CoreWidth; b++) begin
      psv_o[b] = valid_i[b] ? psv_i[b] : '0;
      if (mispredict_o[b]) psv_o[b][EvFlMb] = 1'b1;
      if (raise_i && oldest_i == LaneBits'(b)) psv_o[b] = raise_psv_i;
    end
endmodule
