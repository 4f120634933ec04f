// What ProfileMe selects: goes through a packet slot by slot, and counts down by one at each counted thing
// (instructions, or fetch opportunities), where the unit compares and subtracts. At zero is the selected one; the next
// interval begins after it.
module profileme_select_spec
  import config_pkg::*;
  import core_pkg::*;
  import fetch_pkg::*;
  import life_pkg::*;
  import profileme_pkg::*;
(
  input  logic      clk_i,
  input  logic      rst_ni,
  input  settings_t settings_i,
  input  logic      write_i,
  input  word_t     wdata_i,
  input  packet_t   packet_i,
  input  priv_e     priv_i,
  input  logic [SpaceBits-1:0] space_i,
  input  word_t     cycle_i,
  input  int unsigned before_i,    // instructions before map, but for those that leave in this cycle
  input  logic      room_i,
  input  logic [31:0] next_i,      // drawn: the interval that follows
  input  logic [10:0] minor_i,     // ... and the distance of the second of a pair
  output logic      first_o,
  output slot_t     first_slot_o,
  output logic      second_o,
  output slot_t     second_slot_o,
  output logic      lost_o,
  output pick_t     first_pick_o,
  output pick_t     second_pick_o,
  output logic      again_o        // zero twice in one packet
);
  logic on, on_q = 1'b0;
  packet_t packet_q;
  logic valid_q = 1'b0;
  priv_e priv_q;
  logic [SpaceBits-1:0] space_q;
  word_t cycle_q;
  int unsigned before_q;
  assign on = settings_i.mode != '0;
  always_ff @(posedge clk_i) begin
    on_q <= rst_ni && on;
    valid_q <= rst_ni && on && packet_i.valid;
    if (on && packet_i.valid) packet_q <= packet_i;
    if (on) begin
      priv_q <= priv_i;
      space_q <= space_i;
      cycle_q <= cycle_i;
    end
    before_q <= before_i;
  end

  logic [31:0] interval_q, left_q, left;
  logic waits_q, waits, stopped, inhibited;
  logic [10:0] minor_q, minor;
  assign inhibited = priv_q == PRIV_M ? settings_i.m : priv_q == PRIV_S ? settings_i.s : settings_i.u;
  always_comb begin
    left = left_q;
    waits = waits_q;
    minor = minor_q;
    first_o = 1'b0;
    second_o = 1'b0;
    lost_o = 1'b0;
    again_o = 1'b0;
    first_slot_o = '0;
    second_slot_o = '0;
    stopped = 1'b0;
    for (int s = 0; s < FetchWidth; s++)
      if (on && on_q && !inhibited && (settings_i.mode[1] || (valid_q && packet_q.slots[s]))) begin
        if (waits) begin
          minor = minor - 11'd1;
          if (minor == '0) begin
            second_o = 1'b1;
            second_slot_o = slot_t'(s);
            waits = 1'b0;
          end
        end
        if (!stopped) begin
          left = left - 32'd1;
          if (left == '0) begin
            again_o = again_o || first_o || lost_o;
            if (room_i && !waits_q) begin
              first_o = 1'b1;
              first_slot_o = slot_t'(s);
              if (settings_i.pairs) begin
                waits = 1'b1;
                minor = minor_i;
              end
            end else begin
              lost_o = 1'b1;
            end
            left = interval_q == '0 ? '0 : next_i;
            stopped = interval_q == '0;
          end
        end
      end
  end
  always_ff @(posedge clk_i)
    if (!rst_ni) begin
      interval_q <= '0;
      left_q <= '0;
      waits_q <= 1'b0;
    end else begin
      left_q <= write_i ? wdata_i[31:0] : left;
      if (write_i) interval_q <= wdata_i[63:32];
      waits_q <= waits && on && settings_i.pairs;
      minor_q <= minor;
    end

  // What is in that slot.
  function automatic pick_t in_slot(input slot_t slot, input logic second);
    directions_t history;
    int unsigned ahead;
    history = packet_q.history;
    ahead = before_q;
    for (int s = 0; s < FetchWidth; s++)
      if (s < 32'(slot)) begin
        if (packet_q.branches[s]) history = history << 1;
        if (packet_q.slots[s]) ahead = ahead + 1;
      end
    in_slot = '0;
    in_slot.valid = 1'b1;
    in_slot.second = second;
    in_slot.cycle = cycle_q;
    in_slot.priv = priv_q;
    in_slot.space = space_q;
    if (!valid_q) in_slot.opportunity = 2'd2;
    else if (!packet_q.slots[slot]) in_slot.opportunity = 2'd1;
    else begin
      in_slot.pc = 64'(packet_q.block) * 64'(2 * FetchWidth) + 64'(slot) * 64'd2;
      if (!packet_q.rvc[slot]) in_slot.pc = in_slot.pc - 64'd2;
      in_slot.ahead = ahead_t'(ahead);
      in_slot.kind = packet_q.kind[slot];
      in_slot.history = history;
    end
  endfunction
  assign first_pick_o = first_o ? in_slot(first_slot_o, 1'b0) : '0;
  assign second_pick_o = second_o ? in_slot(second_slot_o, 1'b1) : '0;
endmodule
