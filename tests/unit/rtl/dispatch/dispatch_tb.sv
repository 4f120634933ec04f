// dispatch with flat ports of fixed size; units are numbers of instructions_pkg.
module dispatch_tb
  import config_pkg::*;
  import instructions_pkg::*;
  import events_pkg::*;
  import core_pkg::*;
  import decode_pkg::*;
  import dispatch_pkg::*;
(
  input  logic        clk_i,
  input  logic        rst_ni,
  output logic [31:0] width_o,
  input  logic        squash_i,
  input  logic        hold_i,
  input  logic        serial_busy_i,
  input  logic [7:0]  valid_i,
  input  logic [7:0]  unit_i [8],
  input  logic [7:0]  sfence_i,       // of a fence: sfence.vma, which has operands
  input  logic [7:0]  serial_i,
  input  logic [7:0]  rd_valid_i,
  input  logic [7:0]  dr_l1_i,
  input  logic [7:0]  dr_tlb_i,
  output logic [7:0]  want_int_o,
  output logic [7:0]  want_mem_o,
  output logic [7:0]  want_load_o,
  output logic [7:0]  want_store_o,
  output logic [7:0]  want_pd_o,
  output logic [7:0]  want_snap_o,
  input  logic [7:0]  rob_free_i,
  input  logic        rob_empty_i,
  input  logic [7:0]  int_full_i,
  input  logic [7:0]  mem_full_i,
  input  logic [7:0]  lq_full_i,
  input  logic [7:0]  sq_full_i,
  input  logic [7:0]  pd_empty_i,
  input  logic [7:0]  snap_full_i,
  output logic [7:0]  fire_o,
  output logic [7:0]  fire_count_o,
  output logic        serial_o,
  output logic [15:0] psv_o [8]
);
  decoded_t uop [CoreWidth];
  room_t want;
  lanes_t want_pd, want_snap;
  dispatch_t dis;
  psv_t psv [CoreWidth];
  always_comb
    for (int i = 0; i < CoreWidth; i++) begin
      uop[i] = '0;
      uop[i].unit = unit_e'(unit_i[i]);
      uop[i].op = sfence_i[i] ? OP_SFENCE_VMA : OP_FENCE;
      uop[i].serial = serial_i[i];
      uop[i].rd_valid = rd_valid_i[i];
      uop[i].dr_l1 = dr_l1_i[i];
      uop[i].dr_tlb = dr_tlb_i[i];
    end
  dispatch u_dispatch (
    .clk_i, .rst_ni, .squash_i, .hold_i, .serial_busy_i, .valid_i(valid_i[CoreWidth-1:0]), .uop_i(uop),
    .want_o(want), .want_pd_o(want_pd), .want_snap_o(want_snap),
    .rob_room_i('{free: count_t'(rob_free_i), empty: rob_empty_i, place: '0}),
    .full_i('{ints: int_full_i[CoreWidth-1:0], mems: mem_full_i[CoreWidth-1:0], fps: '0,
              loads: lq_full_i[CoreWidth-1:0], stores: sq_full_i[CoreWidth-1:0]}),
    .pd_empty_i(pd_empty_i[CoreWidth-1:0]), .snap_full_i(snap_full_i[CoreWidth-1:0]), .dis_o(dis), .serial_o,
    .psv_o(psv),
    /* verilator lint_off PINCONNECTEMPTY */  // what observers see is held to whole programs (worker inst-lifetimes)
    .conflict_o()
    /* verilator lint_on PINCONNECTEMPTY */
  );
  for (genvar i = 0; i < 8; i++) begin : gen_psv
    if (i < CoreWidth) begin : gen_lane
      assign psv_o[i] = 16'(psv[i]);
    end else begin : gen_none
      assign psv_o[i] = '0;
    end
  end
  assign want_int_o = 8'(want.ints);
  assign want_mem_o = 8'(want.mems);
  assign want_load_o = 8'(want.loads);
  assign want_store_o = 8'(want.stores);
  assign want_pd_o = 8'(want_pd);
  assign want_snap_o = 8'(want_snap);
  assign fire_o = 8'(dis.fire);
  assign fire_count_o = 8'(dis.count);
  assign width_o = CoreWidth;
endmodule
