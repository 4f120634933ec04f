// The bits of fetch and dispatch, from a packet to the ROB: fetch_buffer, decode_stage and dispatch beside a story of
// ONE instruction, which the solver chooses among those of any packet.
//
// Its place is how many older ones there are between here and the ROB. DR_L1 and DR_TLB are its packet's if it is the
// packet's first; DR_SQ says that in an earlier cycle it was a store, the next to dispatch, and found the store queue
// full. Packets, what is not available, and squashes are free. The first cycle is reset.
module psv_dispatch_proof
  import config_pkg::*;
  import instructions_pkg::*;
  import events_pkg::*;
  import core_pkg::*;
  import fetch_pkg::*;
  import decode_pkg::*;
  import dispatch_pkg::*;
  import rob_pkg::*;
(
  input logic clk_i,
  // the instruction looked at: of this packet, in this slot
  input logic watch_i,
  input slot_t watch_slot_i,
  // fetch
  input logic squash_i,
  input logic push_i,
  input logic [5:0] block_low_i,  // of its address; the rest is 0: a program counter is here to distinguish them
  input slots_t slots_i,
  input slots_t rvc_i,
  input slots_t taken_i,
  input logic [FetchWidth-1:0][31:0] insn_i,
  input logic fault_i,
  input missed_t missed_i,
  input logic fs_off_i,
  input logic [2:0] frm_i,
  // what is not available
  input logic hold_i,
  input logic serial_busy_i,
  input rob_room_t rob_room_i,
  input logic [CoreWidth-1:0] lacks_i,
  input logic [CoreWidth-1:0] sq_full_i
);
  logic rst_n_q = 1'b0;
  always_ff @(posedge clk_i) rst_n_q <= 1'b1;

  block_addr_t block_i;
  assign block_i = block_addr_t'(block_low_i);
  logic ready;
  logic [31:0] push_insn [FetchWidth];
  fetch_insn_t insn [CoreWidth];
  logic [CoreWidth-1:0] insn_valid, take, valid, fire, sq_full;
  room_t want;
  dispatch_t dis;
  decoded_t uop [CoreWidth];
  word_t pc [CoreWidth];
  psv_t psv [CoreWidth];
  count_t fire_count;

  always_comb for (int s = 0; s < FetchWidth; s++) push_insn[s] = insn_i[s];

  fetch_buffer u_buffer (
    .clk_i, .rst_ni(rst_n_q), .flush_i(squash_i), .ready_o(ready), .push_i, .push_block_i(block_i),
    .push_slots_i(slots_i), .push_rvc_i(rvc_i), .push_taken_i(taken_i), .push_insn_i(push_insn), .push_ftq_i('0),
    .push_fault_i(fault_i), .push_missed_i(missed_i), .insn_o(insn), .valid_o(insn_valid), .take_i(take)
  );
  decode_stage u_decode (
    .clk_i, .rst_ni(rst_n_q), .fs_off_i, .frm_i, .squash_i, .insn_i(insn), .insn_valid_i(insn_valid),
    .insn_take_o(take), .valid_o(valid), .uop_o(uop), .imm_o(), .pc_o(pc), .insn_o(), .fire_count_i(fire_count)
  );
  dispatch u_dispatch (
    .clk_i, .rst_ni(rst_n_q), .squash_i, .hold_i, .serial_busy_i, .valid_i(valid), .uop_i(uop), .want_o(want),
    .want_pd_o(), .want_snap_o(), .rob_room_i, .full_i('{ints: lacks_i, mems: '0, fps: '0, loads: '0, stores: sq_full}),
    .pd_empty_i('0), .snap_full_i('0), .dis_o(dis), .serial_o(), .psv_o(psv), .conflict_o()
  );
  assign fire = dis.fire;
  assign fire_count = dis.count;
  // A full store queue concerns stores (store_queue: dis_full_o).
  assign sq_full = sq_full_i & want.stores;

  // ---- the story ----
  localparam int unsigned PlaceBits = $clog2(FetchBuffer + CoreWidth + FetchWidth + 1);
  typedef logic [PlaceBits-1:0] place_t;
  place_t count_q = '0;          // instructions between fetch and the ROB
  place_t place_q, ahead, pushed;
  logic there_q = 1'b0;
  logic l1_q, tlb_q, waited_q, oldest_waits;
  word_t pc_q;

  function automatic int unsigned round(input int unsigned entry);
    round = entry >= FetchBuffer ? entry - FetchBuffer : entry;
  endfunction

  always_comb begin
    ahead = '0;
    pushed = '0;
    for (int s = 0; s < FetchWidth; s++)
      if (push_i && slots_i[s]) begin
        pushed = pushed + place_t'(1);
        if (s < 32'(watch_slot_i)) ahead = ahead + place_t'(1);
      end
  end
  assign oldest_waits = valid[0] && uop[0].unit == UNIT_STORE && sq_full_i[0];

  always_ff @(posedge clk_i)
    if (!rst_n_q || squash_i) begin
      count_q <= '0;
      there_q <= 1'b0;
    end else begin
      count_q <= count_q + pushed - place_t'(fire_count);
      if (there_q) begin
        place_q <= place_q - place_t'(fire_count);
        if (place_q < place_t'(fire_count)) there_q <= 1'b0;
        if (place_q == '0 && oldest_waits) waited_q <= 1'b1;
      end else if (watch_i && push_i && slots_i[watch_slot_i]) begin
        there_q <= 1'b1;
        place_q <= count_q + ahead - place_t'(fire_count);
        pc_q <= {block_i, watch_slot_i, 1'b0} - (rvc_i[watch_slot_i] ? 64'd0 : 64'd2);
        l1_q <= ahead == '0 && missed_i.l1;
        tlb_q <= ahead == '0 && missed_i.tlb;
        waited_q <= 1'b0;
      end
    end

  logic [LaneBits-1:0] lane;
  logic decoded;
  int unsigned entry;            // of the buffer, if not decoded
  psv_t expected;
  assign lane = LaneBits'(place_q);
  assign decoded = 32'(place_q) < 32'(u_decode.count_q);
  assign entry = round(32'(u_buffer.head[0]) + 32'(place_q) - 32'(u_decode.count_q));
  always_comb begin
    expected = '0;
    expected[EvDrL1] = l1_q;
    expected[EvDrTlb] = tlb_q;
    expected[EvDrSq] = waited_q;
  end

  always_comb begin
    assume (!push_i || ready || squash_i);  // what comes in the cycle of a squash is dropped
    assume (32'(rob_room_i.free) <= CoreWidth);
    if (rst_n_q) begin
`ifdef PROVE_DISPATCH
      if (there_q && place_q < place_t'(fire_count)) assert (fire[lane] && pc[lane] == pc_q && psv[lane] == expected);
      for (int i = 0; i < CoreWidth; i++) assert (fire[i] == (i < 32'(fire_count)));
      if (squash_i) assert (fire == '0);
      // Where it is: what induction needs.
      assert (32'(u_buffer.head[0]) < FetchBuffer && 32'(u_decode.count_q) <= CoreWidth);
      assert (32'(u_buffer.count_q) <= FetchBuffer && count_q == place_t'(u_buffer.count_q) +
              place_t'(u_decode.count_q));
      assert (32'(u_buffer.tail[0]) == round(32'(u_buffer.head[0]) + 32'(u_buffer.count_q)));
      assert (!there_q || place_q < count_q);
      if (there_q && decoded) assert (pc[lane] == pc_q && uop[lane].dr_l1 == l1_q && uop[lane].dr_tlb == tlb_q);
      if (there_q && !decoded)
        assert (u_buffer.pc[entry] == pc_q && u_buffer.rest[entry].missed.l1 == l1_q &&
                u_buffer.rest[entry].missed.tlb == tlb_q);
      assert (!there_q || waited_q == (place_q == '0 && u_dispatch.dr_sq_q));
      assert (valid[0] || !u_dispatch.dr_sq_q);
`endif
`ifdef COVER
      for (int i = 0; i < CoreWidth; i++) cover (there_q && place_q == place_t'(i) && fire[i] && l1_q && tlb_q);
      cover (there_q && place_q == '0 && fire[0] && expected == psv_t'((1 << EvDrL1) | (1 << EvDrTlb) | (1 << EvDrSq)));
      cover (there_q && place_q == place_t'(CoreWidth - 1) && waited_q == 1'b0 && psv[0][EvDrSq] && fire == '1);
      cover (there_q && waited_q && squash_i);
      cover (there_q && place_q == '0 && fire[0] && !l1_q && u_buffer.count_q != '0);
`endif
    end
  end
endmodule
