// Return stack with flat ports.
module ras_tb
  import config_pkg::*;
  import fetch_pkg::*;
(
  input  logic        clk_i,
  input  logic        rst_ni,
  output logic [31:0] entries_o,
  input  logic        push_i,
  input  logic        pop_i,
  input  logic [63:0] link_i,
  output logic [63:0] top_o,
  output logic [63:0] next_top_o,
  output logic [7:0]  snap_ptr_o,
  output logic [63:0] snap_top_o,
  input  logic        restore_i,
  input  logic [7:0]  restore_ptr_i,
  input  logic [63:0] restore_top_i,
  input  logic        restore_push_i,
  input  logic        restore_pop_i,
  input  logic [63:0] restore_link_i
);
  ras_snap_t snap, restore;
  assign restore = '{ptr: RasBits'(restore_ptr_i), top: restore_top_i};
  ras u_dut (
    .clk_i, .rst_ni, .push_i, .pop_i, .link_i, .top_o, .next_top_o, .snap_o(snap), .restore_i, .restore_snap_i(restore),
    .restore_push_i, .restore_pop_i, .restore_link_i
  );
  assign entries_o = RasEntries;
  assign snap_ptr_o = 8'(snap.ptr);
  assign snap_top_o = snap.top;
endmodule
