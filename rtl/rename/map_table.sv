// Rename map: which physical register holds each x and f register. Lookup is combinational.
//
// Three kinds of copies: the speculative map, updated as instructions dispatch; one snapshot for each branch in flight
// (the map just after it), to which a misprediction returns; the committed map, to which a trap or flush returns.
// Each is one packed word, so that a snapshot is one copy. Lanes are in program order and see those before them.
module map_table
  import config_pkg::*;
  import core_pkg::*;
  import port_pkg::*;
  import decode_pkg::*;
(
  input  logic clk_i,
  input  logic rst_ni,
  input  squash_t squash_i,
  // dispatch
  input  logic [CoreWidth-1:0] valid_i,
  input  decoded_t uop_i [CoreWidth],
  input  preg_t pd_i [CoreWidth],
  input  logic [CoreWidth-1:0] snap_i,             // lane takes a snapshot
  input  snapshot_t snap_id_i [CoreWidth],
  input  logic [CoreWidth-1:0] fire_i,
  output preg_t ps1_o [CoreWidth],
  output preg_t ps2_o [CoreWidth],
  output preg_t ps3_o [CoreWidth],
  output preg_t old_o [CoreWidth],
  // commit, in age order
  input  logic [CoreWidth-1:0] com_valid_i,        // commits and has a destination
  input  areg_t com_rd_i [CoreWidth],
  input  preg_t com_pd_i [CoreWidth]
);
  typedef logic [ArchRegs-1:0][PregBits-1:0] map_t;
  map_t map_q, committed_q, committed_d;
  map_t snapshot_q [Branches];
  map_t after [CoreWidth];  // map after the lanes up to this one are renamed

  // x0 has register 0 for good: no destination is ever x0.
  always_comb begin
    automatic map_t map = map_q;
    for (int i = 0; i < CoreWidth; i++) begin
      ps1_o[i] = map[uop_i[i].rs1];
      ps2_o[i] = map[uop_i[i].rs2];
      ps3_o[i] = HasFp ? map[uop_i[i].rs3] : '0;
      old_o[i] = map[uop_i[i].rd];
      if (valid_i[i] && uop_i[i].rd_valid) map[uop_i[i].rd] = pd_i[i];
      after[i] = map;
    end
  end

  always_comb begin
    committed_d = committed_q;
    for (int i = 0; i < CoreWidth; i++) if (com_valid_i[i]) committed_d[com_rd_i[i]] = com_pd_i[i];
  end

  function automatic map_t identity();
    for (int r = 0; r < ArchRegs; r++) identity[r] = PregBits'(r < 32 ? r : IntPregs + r - 32);
  endfunction

  always_ff @(posedge clk_i)
    if (!rst_ni) begin
      map_q <= identity();
      committed_q <= identity();
    end else begin
      if (squash_i.valid) map_q <= squash_i.all ? committed_d : snapshot_q[squash_i.snapshot];
      else for (int i = 0; i < CoreWidth; i++) if (fire_i[i]) map_q <= after[i];
      if (com_valid_i != '0) committed_q <= committed_d;
    end

  always_ff @(posedge clk_i)
    for (int i = 0; i < CoreWidth; i++) if (fire_i[i] && snap_i[i]) snapshot_q[snap_id_i[i]] <= after[i];

  `include "assert.svh"
  `ASSERT(X0Stays, map_q[0] == '0)
endmodule
