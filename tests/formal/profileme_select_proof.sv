// ProfileMe's selection beside its specification, for every sequence of packets, settings, writes and free registers.
//
// Software may write what it likes whenever it likes. The first cycle is reset.
module profileme_select_proof
  import config_pkg::*;
  import core_pkg::*;
  import fetch_pkg::*;
  import dispatch_pkg::*;
  import life_pkg::*;
  import profileme_pkg::*;
(
  input logic clk_i,
  input settings_t settings_i,
  input logic write_i,
  input word_t wdata_i,
  input logic seed_i,
  input packet_t packet_i,
  input priv_e priv_i,
  input logic [SpaceBits-1:0] space_i,
  input count_t count_i,
  input logic squash_i,
  input word_t cycle_i,
  input logic room_i
);
  logic rst_n_q = 1'b0;
  always_ff @(posedge clk_i) rst_n_q <= 1'b1;

  dispatch_t dis;
  assign dis = '{fire: '0, count: count_i};
  settings_t settings;
  assign settings = settings_i;
  word_t counter;
  pick_t pick [2];
  logic waits, collision;
  profileme_select u_select (
    .clk_i, .rst_ni(rst_n_q), .settings_i(settings), .jitter_mask_i(jitter_mask(settings.jitter)),
    .window_mask_i(window_mask(settings.window)), .write_i, .wdata_i, .seed_i, .counter_o(counter), .packet_i, .priv_i,
    .space_i, .dis_i(dis), .squash_i, .cycle_i, .room_i, .pick_o(pick), .waits_o(waits), .collision_o(collision)
  );

  // Instructions before map; more are never there than fit.
  localparam int unsigned Most = FetchBuffer + CoreWidth;
  int unsigned before_q = 0;
  int unsigned pushed, held;  // in this cycle; in the one before, as far as they exist still
  always_comb begin
    pushed = 0;
    for (int s = 0; s < FetchWidth; s++) if (packet_i.valid && packet_i.slots[s]) pushed = pushed + 1;
    held = 0;
    for (int s = 0; s < FetchWidth; s++) if (u_select.packet_q.valid && u_select.packet_q.slots[s]) held = held + 1;
  end
  always_ff @(posedge clk_i) before_q <= !rst_n_q || squash_i ? 0 : before_q - 32'(count_i) + pushed;

  logic first, second, lost, again;
  slot_t first_slot, second_slot;
  logic [31:0] next;  // the interval that is drawn
  logic [10:0] minor;
  assign minor = 11'(u_select.minor) + 11'd1;
  assign next = u_select.short ? 32'd16 : u_select.drawn;
  pick_t first_pick, second_pick;
  profileme_select_spec u_spec (
    .clk_i, .rst_ni(rst_n_q), .settings_i(settings), .write_i, .wdata_i, .packet_i, .priv_i, .space_i, .cycle_i,
    .before_i(before_q - 32'(count_i)), .room_i, .next_i(next), .minor_i(minor), .first_o(first),
    .first_slot_o(first_slot), .second_o(second), .second_slot_o(second_slot), .lost_o(lost),
    .first_pick_o(first_pick), .second_pick_o(second_pick), .again_o(again)
  );

  logic [31:0] top_bits;
  assign top_bits = '1 << settings.jitter;
  always_comb begin
    assume (32'(count_i) <= CoreWidth && 32'(count_i) <= before_q && before_q + pushed <= Most);
    assume (!squash_i || !packet_i.valid);  // nothing is fetched in the cycle of a redirect
    assume (priv_i == PRIV_U || priv_i == PRIV_S || priv_i == PRIV_M);
    if (rst_n_q) begin
`ifdef PROVE_SELECT
      // Exactly the one at zero is picked, with its place and all that is known of it, or counted as lost; so is the
      // second of a pair.
      assert (pick[0].valid == first && pick[1].valid == second && collision == lost && waits == u_spec.waits_q);
      assert ((!first || pick[0] == first_pick) && (!second || pick[1] == second_pick));
      assert (!(first && lost) && !again);
      assert (!lost || !room_i || u_spec.waits_q);  // lost without need: never
      // Intervals as programmed but for the bits that are drawn, and long enough.
      if (first || lost) begin
        assert (next >= 32'd16);
        assert (((next ^ u_spec.interval_q) & top_bits) == '0 ||
                (next == 32'd16 && (u_spec.interval_q & top_bits) < 32'd16));
      end
      if (first) assert (minor != '0 && (settings.window > 4'd10 || 32'(minor) <= (32'd1 << settings.window)));
      assert (counter == {u_spec.interval_q, u_spec.left_q});
      // What induction needs.
      assert (before_q <= Most && 32'(u_select.behind_q) + held == before_q);
      assert (!u_spec.valid_q || ahead_t'(u_spec.before_q) == u_select.behind_q);
      assert (u_select.on_q == u_spec.on_q && (u_select.on_q && u_select.packet_q.valid) == u_spec.valid_q);
      assert (!u_spec.on_q || (u_select.priv_q == u_spec.priv_q && u_select.space_q == u_spec.space_q &&
                               u_select.cycle_q == u_spec.cycle_q));
      assert (!u_spec.on_q || u_spec.priv_q == PRIV_U || u_spec.priv_q == PRIV_S || u_spec.priv_q == PRIV_M);
      if (u_spec.valid_q) begin
        assert (u_spec.on_q);
        for (int p = 0; p < 3; p++) assert (u_select.zero_q[p] == (u_select.packet_q.block[16*p+:16] == '0));
        assert (u_select.packet_q.block == u_spec.packet_q.block && u_select.packet_q.slots == u_spec.packet_q.slots &&
                u_select.packet_q.rvc == u_spec.packet_q.rvc);
        assert (u_select.packet_q.branches == u_spec.packet_q.branches &&
                u_select.packet_q.kind == u_spec.packet_q.kind && u_select.packet_q.history == u_spec.packet_q.history);
      end
      assert (u_select.waits_q == u_spec.waits_q);
      if (u_spec.waits_q)
        assert (u_select.minor_q == u_spec.minor_q && u_spec.minor_q != '0 && u_spec.minor_q <= 11'd1024);
`endif
`ifdef COVER
      cover (first && !second && settings.mode == 2'd1 && first_slot == slot_t'(FetchWidth - 1) &&
             first_pick.history[0] == 1'b0 && u_spec.packet_q.history[0]);
      cover (first && second && second_slot == first_slot + slot_t'(1));
      cover (second && !first && lost);
      cover (second && !first && second_pick.opportunity == 2'd2 && second_slot == slot_t'(1));
      cover (first && first_pick.opportunity == 2'd1);
      cover (lost && room_i);
      cover (lost && !room_i);
      cover (first && settings.jitter == 5'd3 && next != u_spec.interval_q && next > 32'd16);
`endif
    end
  end
endmodule
