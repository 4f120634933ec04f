// A memory behind AXI4 that keeps no order which AXI does not promise: in front of the line ports of sim/machine.sv.
//
// Each read and each write waits a random number of cycles, reads overtake reads and writes, writes overtake reads, and
// the beats of several reads come mixed. Writes take effect in order, as one ID's do, and have their B some time later.
// Nothing is ready for sure.
module axi_memory
  import core_pkg::*;
  import line_pkg::*;
  import bus_pkg::*;
#(
  parameter logic [31:0] Seed = 32'd1,
  parameter logic [57:0] BadLine = '1  // no access to it succeeds: SLVERR, of a read in one beat of eight
) (
  input  logic       clk_i,
  input  logic       rst_ni,
  input  axi_req_t   axi_req_i,
  output axi_resp_t  axi_resp_o,
  output line_req_t  imem_req_o,
  input  logic       imem_ready_i,
  input  line_resp_t imem_resp_i,
  output line_req_t  dmem_req_o,
  input  logic       dmem_ready_i,
  input  line_resp_t dmem_resp_i
);
  localparam int unsigned Ids = 1 << BusIdBits;
  localparam int unsigned Writes = 4;
  localparam int unsigned Beats = LineBytes / BusBytes;
  typedef logic [Ids-1:0] ids_t;
  typedef logic [1:0] slot_t;

  /* verilator lint_off UNUSEDSIGNAL */  // more bits than decisions
  logic [31:0] random;
  /* verilator lint_on UNUSEDSIGNAL */
  lfsr u_lfsr (
    .clk_i, .rst_ni, .seed_valid_i(!started_q), .seed_i(Seed), .step_i(1'b1), .value_o(random),
    /* verilator lint_off PINCONNECTEMPTY */  // the next value is of no use here
    .ahead_o()
    /* verilator lint_on PINCONNECTEMPTY */
  );
  logic started_q;
  always_ff @(posedge clk_i) started_q <= rst_ni;

  // One of those that may, by chance: the first from a random place on.
  function automatic bus_id_t any_of(input ids_t may, input bus_id_t from);
    any_of = '0;
    for (int i = int'(Ids) - 1; i >= 0; i--) if (may[i]) any_of = bus_id_t'(i);
    for (int i = int'(Ids) - 1; i >= 0; i--) if (may[i] && bus_id_t'(i) >= from) any_of = bus_id_t'(i);
  endfunction

  // ---- reads: accepted -> asked for -> whole -> beats ----
  ids_t waits_q, whole_q, insn_q, llc_q, error_q;
  logic [57:0] line_q [Ids];
  logic [LineBits-1:0] data_q [Ids];
  logic [2:0] beat_q [Ids];
  logic ar_ready_q, ask_insn_q, ask_data_q;
  bus_id_t ask_insn_id_q, ask_data_id_q;

  // ---- writes: a ring, in order ----
  logic [57:0] wr_line_q [Writes];
  logic [LineBits-1:0] wr_data_q [Writes];
  logic aw_ready_q, w_ready_q, wr_now_q;
  logic [2:0] wr_beat_q;
  // AW, last W, effect, B: how many have come so far
  logic [2:0] aw_count_q, w_count_q, done_count_q, b_count_q;
  logic wr_whole;
  assign wr_whole = aw_count_q != done_count_q && w_count_q != done_count_q;

  axi_b_t b_q;
  axi_r_t r_q;
  logic insn_free, data_free, r_free, r_pick, b_pick;
  bus_id_t r_id;
  assign insn_free = !ask_insn_q || imem_ready_i;
  assign data_free = !(ask_data_q || wr_now_q) || dmem_ready_i;
  assign r_free = !r_q.valid || axi_req_i.r_ready;
  assign r_pick = r_free && whole_q != '0 && random[0];
  assign r_id = any_of(whole_q, bus_id_t'(random[11:8]));
  assign b_pick = done_count_q != b_count_q && random[3:1] == '0;

  assign imem_req_o = '{valid: ask_insn_q, write: 1'b0, id: 5'(ask_insn_id_q), addr: {line_q[ask_insn_id_q], 6'd0},
                        data: '0};
  assign dmem_req_o = '{
    valid: ask_data_q || wr_now_q, write: wr_now_q, id: 5'(ask_data_id_q),
    addr: {wr_now_q ? wr_line_q[slot_t'(done_count_q)] : line_q[ask_data_id_q], 6'd0},
    data: wr_data_q[slot_t'(done_count_q)]
  };
  assign axi_resp_o = '{aw_ready: aw_ready_q, w_ready: w_ready_q, ar_ready: ar_ready_q, b: b_q, r: r_q};

  ids_t insn_waits, data_waits;
  assign insn_waits = waits_q & insn_q;
  assign data_waits = waits_q & ~insn_q;

  always_ff @(posedge clk_i) begin
    automatic bus_id_t id;
    if (!rst_ni) begin
      waits_q <= '0;
      whole_q <= '0;
      ask_insn_q <= 1'b0;
      ask_data_q <= 1'b0;
      wr_now_q <= 1'b0;
      ar_ready_q <= 1'b0;
      aw_ready_q <= 1'b0;
      w_ready_q <= 1'b0;
      wr_beat_q <= '0;
      aw_count_q <= '0;
      w_count_q <= '0;
      done_count_q <= '0;
      b_count_q <= '0;
      b_q.valid <= 1'b0;
      r_q.valid <= 1'b0;
    end else begin
      // channels in
      ar_ready_q <= random[4];
      aw_ready_q <= random[5] && aw_count_q - b_count_q < 3'(Writes - 1);
      w_ready_q <= random[6] && w_count_q - b_count_q < 3'(Writes - 1);
      if (axi_req_i.ar.valid && ar_ready_q) begin
        waits_q[axi_req_i.ar.id] <= 1'b1;
        insn_q[axi_req_i.ar.id] <= axi_req_i.ar.prot[2];
        line_q[axi_req_i.ar.id] <= axi_req_i.ar.addr[63:6];
        beat_q[axi_req_i.ar.id] <= '0;
      end
      if (axi_req_i.aw.valid && aw_ready_q) begin
        wr_line_q[slot_t'(aw_count_q)] <= axi_req_i.aw.addr[63:6];
        aw_count_q <= aw_count_q + 3'd1;
      end
      if (axi_req_i.w.valid && w_ready_q) begin
        wr_data_q[slot_t'(w_count_q)][BusBits*wr_beat_q+:BusBits] <= axi_req_i.w.data;
        wr_beat_q <= wr_beat_q + 3'd1;
        if (axi_req_i.w.last) w_count_q <= w_count_q + 3'd1;
      end
      // to the machine: by chance a read or the oldest write, sooner or later
      if (insn_free) begin
        id = any_of(insn_waits, bus_id_t'(random[15:12]));
        ask_insn_q <= insn_waits != '0 && random[17:16] == '0;
        ask_insn_id_q <= id;
        if (insn_waits != '0 && random[17:16] == '0) waits_q[id] <= 1'b0;
      end
      if (wr_now_q && dmem_ready_i) done_count_q <= done_count_q + 3'd1;
      if (data_free) begin
        id = any_of(data_waits, bus_id_t'(random[21:18]));
        ask_data_q <= data_waits != '0 && random[23:22] == '0;
        ask_data_id_q <= id;
        if (data_waits != '0 && random[23:22] == '0) waits_q[id] <= 1'b0;
        wr_now_q <= wr_whole && !wr_now_q && random[26:22] == 5'd1;
      end
      // from the machine
      if (imem_resp_i.valid) whole_q[bus_id_t'(imem_resp_i.id)] <= 1'b1;
      if (dmem_resp_i.valid) whole_q[bus_id_t'(dmem_resp_i.id)] <= 1'b1;
      // channels out
      if (r_free) r_q.valid <= r_pick;
      if (r_pick) begin
        beat_q[r_id] <= beat_q[r_id] + 3'd1;
        if (beat_q[r_id] == 3'(Beats - 1)) whole_q[r_id] <= 1'b0;
      end
      if (!b_q.valid || axi_req_i.b_ready) begin
        b_q.valid <= b_pick;
        if (b_pick) b_count_q <= b_count_q + 3'd1;
      end
    end
    if (imem_resp_i.valid) begin
      data_q[bus_id_t'(imem_resp_i.id)] <= imem_resp_i.data;
      llc_q[bus_id_t'(imem_resp_i.id)] <= imem_resp_i.llc_miss;
      error_q[bus_id_t'(imem_resp_i.id)] <= imem_resp_i.error;
    end
    if (dmem_resp_i.valid) begin
      data_q[bus_id_t'(dmem_resp_i.id)] <= dmem_resp_i.data;
      llc_q[bus_id_t'(dmem_resp_i.id)] <= dmem_resp_i.llc_miss;
      error_q[bus_id_t'(dmem_resp_i.id)] <= dmem_resp_i.error;
    end
    if (r_pick) begin
      r_q.id <= r_id;
      r_q.data <= data_q[r_id][BusBits*beat_q[r_id]+:BusBits];
      // The error is that of one beat, a different one for each ID.
      r_q.resp <= (line_q[r_id] == BadLine && beat_q[r_id] == 3'd5) || (error_q[r_id] && beat_q[r_id] == 3'(r_id))
                  ? RespSlvErr : RespOkay;
      r_q.last <= beat_q[r_id] == 3'(Beats - 1);
      r_q.user <= llc_q[r_id];
    end
    b_q.id <= '0;
    if (b_pick && (!b_q.valid || axi_req_i.b_ready))
      b_q.resp <= wr_line_q[slot_t'(b_count_q)] == BadLine ? RespSlvErr : RespOkay;
  end
endmodule
