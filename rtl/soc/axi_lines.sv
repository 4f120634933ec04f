// The tile's two line ports as one AXI4 manager: bursts of eight beats, several reads and writes in flight.
//
// AXI keeps no order between reads and writes, nor between IDs. The tile's ports say that accesses take effect in order
// of acceptance (line_pkg::line_req_t), so what concerns the same line is kept in order here:
//
//   a read is asked for when every older write of its line has its B: memory has it. So a line that was written back is
//   read as it was written, and fence.i holds: what the data cache has cleaned, the instruction cache fetches.
//   a write is sent when every older read of its line has been answered.
//
// Both wait for older ones only, so nobody waits in a circle. Each read has an entry, whose number is its ID, and which
// has room for its line: beats of several reads may come mixed. Responses of AXI are always taken.
module axi_lines
  import core_pkg::*;
  import line_pkg::*;
  import bus_pkg::*;
#(
  parameter int unsigned Reads = 8,   // in flight; a power of two, up to 2^BusIdBits
  parameter int unsigned Writes = 4   // a power of two
) (
  input  logic       clk_i,
  input  logic       rst_ni,
  input  line_req_t  imem_req_i,
  input  line_req_t  dmem_req_i,
  output logic       imem_ready_o,
  output line_resp_t imem_resp_o,
  output logic       dmem_ready_o,
  output line_resp_t dmem_resp_o,
  output axi_req_t   axi_req_o,
  input  axi_resp_t  axi_resp_i,
  // lines that came with an error in any beat (the port reports them, too), or could not be written (only here)
  output bus_error_t read_error_o,
  output bus_error_t write_error_o
);
  localparam int unsigned RBits = $clog2(Reads);
  localparam int unsigned WBits = $clog2(Writes);
  localparam int unsigned Beats = LineBytes / BusBytes;
  localparam int Insn = 0, Data = 1;  // ports
  typedef logic [RBits-1:0] read_t;
  typedef logic [Reads-1:0] reads_t;
  typedef logic [Writes-1:0] writes_t;
  typedef logic [57:0] line_t;

  // ---- entries of reads ----
  reads_t valid_q, unasked_q, whole_q, insn_q, llc_q, bad_q;
  logic [2:0] beat_q [Reads];
  logic [4:0] id_q [Reads];
  line_t line_q [Reads];
  logic [BusBits-1:0] data_q [Reads][Beats];
  writes_t behind_q [Reads];  // older writes of its line, without their B

  // ---- writes ----
  logic wr_room, wr_push;
  writes_t wr_valid, wr_done, wr_order;
  logic [WBits-1:0] wr_tail;
  line_t wr_line [Writes];
  reads_t ahead_q [Writes];   // older reads of its line, not answered

  // ---- acceptance: the instruction port's first, where both come at once ----
  read_t free [2];
  logic [1:0] free_valid, take;
  line_t take_line [2];
  always_comb begin
    free_valid = '0;
    free = '{default: '0};
    for (int i = 0; i < int'(Reads); i++)
      if (!valid_q[i]) begin
        if (!free_valid[Data]) begin
          free_valid[Data] = 1'b1;
          free[Data] = read_t'(i);
        end else if (!free_valid[Insn]) begin
          free_valid[Insn] = 1'b1;
          free[Insn] = read_t'(i);
        end
      end
  end
  assign imem_ready_o = free_valid[Insn];
  assign dmem_ready_o = free_valid[Data] && wr_room;
  assign take[Insn] = imem_req_i.valid && imem_ready_o;
  assign take[Data] = dmem_req_i.valid && dmem_ready_o && !dmem_req_i.write;
  assign wr_push = dmem_req_i.valid && dmem_ready_o && dmem_req_i.write;
  assign take_line[Insn] = imem_req_i.addr[63:6];
  assign take_line[Data] = dmem_req_i.addr[63:6];

  axi_write #(.Entries(Writes)) u_write (
    .clk_i, .rst_ni,
    .push_i(wr_push), .line_i(take_line[Data]), .data_i(dmem_req_i.data), .room_o(wr_room),
    .valid_o(wr_valid), .tail_o(wr_tail), .line_o(wr_line), .done_o(wr_done), .error_o(write_error_o),
    .order_i(wr_order), .aw_o(axi_req_o.aw), .aw_ready_i(axi_resp_i.aw_ready), .w_o(axi_req_o.w),
    .w_ready_i(axi_resp_i.w_ready), .b_i(axi_resp_i.b)
  );

  for (genvar w = 0; w < Writes; w++) begin : gen_order
    assign wr_order[w] = ahead_q[w] != '0;
  end

  // ---- order ----
  reads_t answered;  // in this cycle: the entry is free
  writes_t same_write [2];
  reads_t same_read;
  always_comb begin
    for (int p = 0; p < 2; p++)
      for (int w = 0; w < int'(Writes); w++)
        same_write[p][w] = wr_valid[w] && !wr_done[w] && wr_line[w] == take_line[p];
    for (int r = 0; r < int'(Reads); r++)
      same_read[r] = valid_q[r] && !answered[r] && line_q[r] == take_line[Data];
    if (take[Insn] && take_line[Insn] == take_line[Data]) same_read[free[Insn]] = 1'b1;
  end

  // ---- AR: offered from a register; entries in turn ----
  logic ar_valid_q, pick;
  read_t ar_q, pick_id;
  reads_t may_ask;
  for (genvar r = 0; r < Reads; r++) begin : gen_may
    assign may_ask[r] = unasked_q[r] && behind_q[r] == '0;
  end
  always_comb begin
    pick = may_ask != '0;
    pick_id = '0;
    for (int i = int'(Reads) - 1; i >= 0; i--) if (may_ask[i]) pick_id = read_t'(i);
    for (int i = int'(Reads) - 1; i >= 0; i--) if (may_ask[i] && read_t'(i) > ar_q) pick_id = read_t'(i);
  end
  logic ar_free;
  assign ar_free = !ar_valid_q || axi_resp_i.ar_ready;
  assign axi_req_o.ar = '{
    valid: ar_valid_q, id: bus_id_t'(ar_q), addr: {line_q[ar_q], 6'd0}, len: 8'(Beats - 1), size: 3'($clog2(BusBytes)),
    burst: BurstIncr, cache: CacheWriteBack, prot: insn_q[ar_q] ? ProtInsn : ProtData
  };
  assign axi_req_o.b_ready = 1'b1;
  assign axi_req_o.r_ready = 1'b1;

  // ---- R: to its entry; and whole lines to their ports, one a cycle and port ----
  read_t r_id;
  assign r_id = read_t'(axi_resp_i.r.id);
  logic bad;  // this beat or one before it
  assign bad = axi_resp_i.r.resp[1] || (bad_q[r_id] && beat_q[r_id] != '0);
  assign read_error_o = '{
    valid: axi_resp_i.r.valid && axi_resp_i.r.last && bad, write: 1'b0, insn: insn_q[r_id], addr: {line_q[r_id], 6'd0}
  };
  logic [1:0] answer;
  read_t answer_id [2];
  always_comb begin
    answer = '0;
    answer_id = '{default: '0};
    for (int i = int'(Reads) - 1; i >= 0; i--)
      if (whole_q[i]) begin
        answer[insn_q[i] ? Insn : Data] = 1'b1;
        answer_id[insn_q[i] ? Insn : Data] = read_t'(i);
      end
    answered = '0;
    for (int p = 0; p < 2; p++) if (answer[p]) answered[answer_id[p]] = 1'b1;
  end

  function automatic logic [LineBits-1:0] whole_line(input read_t entry);
    for (int b = 0; b < int'(Beats); b++) whole_line[BusBits*b+:BusBits] = data_q[entry][b];
  endfunction

  always_ff @(posedge clk_i) begin
    if (!rst_ni) begin
      valid_q <= '0;
      unasked_q <= '0;
      whole_q <= '0;
      ar_valid_q <= 1'b0;
      ar_q <= '0;
      imem_resp_o.valid <= 1'b0;
      dmem_resp_o.valid <= 1'b0;
    end else begin
      valid_q <= valid_q & ~answered;
      whole_q <= whole_q & ~answered;
      for (int p = 0; p < 2; p++)
        if (take[p]) begin
          valid_q[free[p]] <= 1'b1;
          unasked_q[free[p]] <= 1'b1;
        end
      if (ar_free) begin
        ar_valid_q <= pick;
        if (pick) begin
          ar_q <= pick_id;
          unasked_q[pick_id] <= 1'b0;
        end
      end
      if (axi_resp_i.r.valid && axi_resp_i.r.last) whole_q[r_id] <= 1'b1;
      imem_resp_o.valid <= answer[Insn];
      dmem_resp_o.valid <= answer[Data];
    end
  end

  always_ff @(posedge clk_i) begin
    for (int r = 0; r < int'(Reads); r++) behind_q[r] <= behind_q[r] & ~wr_done;
    for (int w = 0; w < int'(Writes); w++) ahead_q[w] <= ahead_q[w] & ~answered;
    for (int p = 0; p < 2; p++)
      if (take[p]) begin
        line_q[free[p]] <= take_line[p];
        id_q[free[p]] <= p == Insn ? imem_req_i.id : dmem_req_i.id;
        insn_q[free[p]] <= p == Insn;
        beat_q[free[p]] <= '0;
        behind_q[free[p]] <= same_write[p];
      end
    if (wr_push) ahead_q[wr_tail] <= same_read;
    if (axi_resp_i.r.valid) begin
      data_q[r_id][beat_q[r_id]] <= axi_resp_i.r.data;
      beat_q[r_id] <= beat_q[r_id] + 3'd1;
      llc_q[r_id] <= axi_resp_i.r.user;
      bad_q[r_id] <= bad;
    end
    imem_resp_o.id <= id_q[answer_id[Insn]];
    imem_resp_o.llc_miss <= llc_q[answer_id[Insn]];
    imem_resp_o.error <= bad_q[answer_id[Insn]];
    if (answer[Insn]) imem_resp_o.data <= whole_line(answer_id[Insn]);
    dmem_resp_o.id <= id_q[answer_id[Data]];
    dmem_resp_o.llc_miss <= llc_q[answer_id[Data]];
    dmem_resp_o.error <= bad_q[answer_id[Data]];
    if (answer[Data]) dmem_resp_o.data <= whole_line(answer_id[Data]);
  end

  `include "assert.svh"
  `ASSERT(ResponseExpected, !axi_resp_i.r.valid || (valid_q[r_id] && !unasked_q[r_id] && !whole_q[r_id]))
  `ASSERT(LastIsLast, !axi_resp_i.r.valid || axi_resp_i.r.last == (beat_q[r_id] == 3'(Beats - 1)))
endmodule
