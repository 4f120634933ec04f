// Recomputes ProfileMe's collisions independently: bound to it in every simulation.
//
// Counts down to each selection by itself, of the packets and of the modes that are counted; what the unit draws at
// random, it takes. Each selection is a pick where there are profile registers and no pair is open, and a collision
// otherwise; software reads their number, and each record has it.
module collision_rules
  import config_pkg::*;
  import core_pkg::*;
  import life_pkg::*;
  import profile_pkg::*;
  import profileme_pkg::*;
(
  input logic        clk_i,
  input logic        rst_ni,
  input settings_t   settings_i,
  input packet_t     packet_i,
  input priv_e       priv_i,
  input logic        write_i,     // of interval and count
  input word_t       wdata_i,
  input logic [31:0] drawn_i,     // an interval, before it is made long enough
  input logic        room_i,
  input logic        pair_i,      // the second of a pair is to come
  input logic        pick_i,
  input logic        collision_i,
  input word_t       count_i      // of collisions, as software reads it
);
  logic on_q, packet_q, counted, selects;
  logic [31:0] number_q, go_q, left;  // instructions or slots of the packet; ... up to the selection
  logic [31:0] interval_q, next;
  priv_e priv_q;
  word_t count_q;

  always_ff @(posedge clk_i) begin
    on_q <= rst_ni && settings_i.mode != '0;
    packet_q <= rst_ni && packet_i.valid;
    if (packet_i.valid) number_q <= 32'($countones(packet_i.slots));
    if (settings_i.mode != '0) priv_q <= priv_i;
  end
  logic [31:0] amount;
  assign amount = settings_i.mode[1] ? 32'(FetchWidth) : packet_q ? number_q : '0;
  assign counted = settings_i.mode != '0 && on_q && amount != '0 &&
                   !(priv_q == PRIV_M ? settings_i.m : priv_q == PRIV_S ? settings_i.s : settings_i.u);
  assign selects = counted && go_q != '0 && go_q <= amount;
  assign left = go_q - amount;
  assign next = interval_q == '0 ? '0 : left + (drawn_i < 32'(MinPeriod) ? 32'(MinPeriod) : drawn_i);

  always_ff @(posedge clk_i)
    if (!rst_ni) begin
      go_q <= '0;
      interval_q <= '0;
      count_q <= '0;
    end else begin
      if (write_i) {interval_q, go_q} <= wdata_i;
      else if (selects) go_q <= next;
      else if (counted) go_q <= left;
      if (selects && !pick_i) count_q <= count_q + 64'd1;
    end

  `include "assert.svh"
  `ASSERT(PickWhereThereIsRoom, pick_i == (selects && room_i && !pair_i))
  `ASSERT(CollisionElse, collision_i == (selects && !pick_i))
  `ASSERT(CollisionsAreCounted, count_i == count_q)
endmodule

bind profileme collision_rules u_collision_rules (
  .clk_i(clk_i), .rst_ni(rst_ni), .settings_i(settings), .packet_i(packet_i), .priv_i(priv_i),
  .write_i(write_counter), .wdata_i(req_i.wdata), .drawn_i(u_select.drawn), .room_i(room), .pair_i(pair_waits),
  .pick_i(pick[0].valid), .collision_i(collision), .count_i(collisions)
);
