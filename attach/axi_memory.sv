// The simulated machine at an AXI4 port: memory with its timing, devices, interrupt lines, answered by the C side.
//
// For cores that are not ours. A burst stays within a line of 64 bytes (INCR or WRAP); devices take single beats. Eight
// reads are under way at once, and answer in the order in which they were asked; a write at a time, which answers once
// memory has it, so that a read that is asked after the answer sees it. A write of part of a line reads the line first.
// All outputs come from registers. A store to tohost is seen when it arrives here: a core that writes back late ends
// late (or stores to the finisher's device instead).
module axi_memory
  import core_pkg::*;
  import line_pkg::*;
  import dpi_pkg::*;
  import memory_map_pkg::*;
  import attach_axi_pkg::*;
  import config_pkg::Regions;
(
  input  logic      clk_i,
  input  logic      rst_ni,
  input  axi_req_t  axi_i,
  output axi_resp_t axi_o,
  output machine_t  machine_o, // interrupt lines and time
  output logic      host_o     // HTIF: the host wants to look at memory, where the core has it; nobody serves it here
);
  localparam int unsigned Reads = 8;
  localparam logic [4:0] MergeId = 5'(Reads);  // the line that a write is merged into
  typedef logic [2:0] read_t;

  // Nothing else lies there: a read answers 0, a write is lost.
  function automatic attributes_t attributes(input word_t addr);
    attributes = '0;
    for (int i = 0; i < Regions; i++)
      if ((addr & RegionMask[i]) == RegionBase[i]) attributes = RegionIs[i];
  endfunction

  // Which of the line's eight words a beat of a burst means.
  function automatic logic [2:0] word_of(input axi_address_t a, input logic [7:0] beat);
    logic [5:0] at, span;
    at = a.addr[5:0] + 6'({10'b0, beat} << a.size);
    span = 6'({10'b0, a.len} << a.size) | (6'((7'd1 << a.size) - 7'd1));
    if (a.burst == BurstWrap) at = (a.addr[5:0] & ~span) | (at & span);
    word_of = at[5:3];
  endfunction

  // ---- reads ----
  axi_address_t read_q [Reads];
  logic [LineBits-1:0] data_q [Reads];
  logic [Reads-1:0] done_q;
  read_t head_q, ask_q, tail_q;
  logic [3:0] count_q, unasked_q;
  logic [7:0] beat_q;
  logic ask_line, ask_device, ask_nobody, asked, beat_taken, ended;
  attributes_t read_is, write_is;

  // ---- the write ----
  typedef enum logic [2:0] { W_IDLE, W_DATA, W_DEVICE, W_DEVICE_WAIT, W_READ, W_MERGE, W_STORE, W_ANSWER } write_e;
  write_e state_q;
  axi_address_t write_q;
  logic [LineBits-1:0] wdata_q;
  logic [63:0] wstrb_q;
  logic [7:0] wbeat_q;

  line_req_t line_req;
  device_req_t device_req;
  /* verilator lint_off UNUSEDSIGNAL */  // one port for instructions and data
  memory_in_t answered;
  /* verilator lint_on UNUSEDSIGNAL */
  word_t tohost_address;
  initial tohost_address = tipoff_tohost_address();

  assign read_is = attributes(read_q[ask_q].addr);
  assign write_is = attributes(write_q.addr);
  assign ask_line = unasked_q != '0 && read_is.memory && state_q != W_READ && state_q != W_STORE;
  assign ask_device = unasked_q != '0 && read_is.device && ask_q == head_q && state_q != W_DEVICE &&
                      state_q != W_DEVICE_WAIT;
  assign ask_nobody = unasked_q != '0 && !read_is.memory && !read_is.device;
  assign asked = (ask_line && answered.data.ready) || (ask_device && answered.device.ready) || ask_nobody;
  assign beat_taken = count_q != '0 && done_q[head_q] && axi_i.r_ready;
  assign ended = beat_taken && axi_o.r_last;

  always_comb begin
    line_req = '{valid: ask_line, write: 1'b0, id: 5'(ask_q), addr: {read_q[ask_q].addr[63:6], 6'd0}, data: wdata_q};
    if (state_q == W_READ || state_q == W_STORE)
      line_req = '{valid: state_q == W_STORE || wstrb_q != '1, write: state_q == W_STORE, id: MergeId,
                   addr: {write_q.addr[63:6], 6'd0}, data: wdata_q};
    device_req = '{valid: ask_device, write: 1'b0, size: read_q[ask_q].size[1:0], addr: read_q[ask_q].addr, data: '0};
    if (state_q == W_DEVICE)
      device_req = '{valid: 1'b1, write: 1'b1, size: write_q.size[1:0], addr: write_q.addr,
                     data: wdata_q[{write_q.addr[5:3], 6'd0}+:64] >> {write_q.addr[2:0], 3'd0}};
  end

  always_comb begin
    axi_o = '0;
    axi_o.aw_ready = state_q == W_IDLE;
    axi_o.w_ready = state_q == W_DATA;
    axi_o.b_valid = state_q == W_ANSWER;
    axi_o.b_id = write_q.id;
    axi_o.ar_ready = count_q != 4'(Reads);
    axi_o.r_valid = count_q != '0 && done_q[head_q];
    axi_o.r_id = read_q[head_q].id;
    axi_o.r_data = data_q[head_q][{word_of(read_q[head_q], beat_q), 6'd0}+:64];
    axi_o.r_last = beat_q == read_q[head_q].len;
  end

  always_ff @(posedge clk_i) begin
    if (!rst_ni) begin
      head_q <= '0;
      ask_q <= '0;
      tail_q <= '0;
      count_q <= '0;
      unasked_q <= '0;
      done_q <= '0;
      beat_q <= '0;
    end else begin
      if (axi_i.ar_valid && axi_o.ar_ready) begin
        read_q[tail_q] <= axi_i.ar;
        done_q[tail_q] <= 1'b0;
        tail_q <= tail_q + 3'd1;
      end
      if (asked) ask_q <= ask_q + 3'd1;
      if (answered.data.resp.valid && answered.data.resp.id != MergeId) begin
        data_q[answered.data.resp.id[2:0]] <= answered.data.resp.data;
        done_q[answered.data.resp.id[2:0]] <= 1'b1;
      end
      if (ask_nobody) begin
        data_q[ask_q] <= '0;
        done_q[ask_q] <= 1'b1;
      end
      if (answered.device.resp.valid && state_q != W_DEVICE_WAIT) begin  // the lane that its address has
        data_q[head_q] <= {8{answered.device.resp.data << {read_q[head_q].addr[2:0], 3'd0}}};
        done_q[head_q] <= 1'b1;
      end
      if (beat_taken) beat_q <= ended ? '0 : beat_q + 8'd1;
      if (ended) head_q <= head_q + 3'd1;
      count_q <= count_q + 4'(axi_i.ar_valid && axi_o.ar_ready) - 4'(ended);
      unasked_q <= unasked_q + 4'(axi_i.ar_valid && axi_o.ar_ready) - 4'(asked);
    end
  end

  always_ff @(posedge clk_i) begin
    automatic logic [2:0] word;
    if (!rst_ni) state_q <= W_IDLE;
    else
      case (state_q)
        W_IDLE:
          if (axi_i.aw_valid) begin
            write_q <= axi_i.aw;
            wstrb_q <= '0;
            wbeat_q <= '0;
            state_q <= W_DATA;
          end
        W_DATA:
          if (axi_i.w_valid) begin
            word = word_of(write_q, wbeat_q);
            wdata_q[{word, 6'd0}+:64] <= axi_i.w_data;
            wstrb_q[{word, 3'd0}+:8] <= axi_i.w_strb;
            wbeat_q <= wbeat_q + 8'd1;
            if (axi_i.w_last) state_q <= write_is.device ? W_DEVICE : write_is.memory ? W_READ : W_ANSWER;
          end
        W_DEVICE: if (answered.device.ready) state_q <= W_DEVICE_WAIT;
        W_DEVICE_WAIT: if (answered.device.resp.valid) state_q <= W_ANSWER;
        W_READ:
          if (wstrb_q == '1) state_q <= W_STORE;
          else if (answered.data.ready) state_q <= W_MERGE;
        W_MERGE:
          if (answered.data.resp.valid && answered.data.resp.id == MergeId) begin
            for (int i = 0; i < 64; i++)
              if (!wstrb_q[i]) wdata_q[8*i+:8] <= answered.data.resp.data[8*i+:8];
            state_q <= W_STORE;
          end
        W_STORE:
          if (answered.data.ready) begin
            if (tohost_address != '0 && write_q.addr[63:6] == tohost_address[63:6] &&
                wstrb_q[{tohost_address[5:3], 3'd0}+:8] != '0)
              tipoff_tohost({tohost_address[63:3], 3'd0}, wdata_q[{tohost_address[5:3], 6'd0}+:64], 3);
            state_q <= W_ANSWER;
          end
        default: if (axi_i.b_ready) state_q <= W_IDLE;
      endcase
  end

  machine u_machine (
    .clk_i(clk_i), .rst_ni(rst_ni),
    .memory_i('{insn: '0, data: line_req, device: device_req}), .memory_o(answered),
    .lost_i('0), .tile_i('{default: '0}), .hart_id_i('0),
    /* verilator lint_off PINCONNECTEMPTY */  // one hart
    .hub_i('0), .hub_o(),
    /* verilator lint_on PINCONNECTEMPTY */
    .machine_o(machine_o), .host_o(host_o)
  );

  `include "assert.svh"
  `ASSERT(ReadWithinLine, !axi_i.ar_valid || ({9'b0, axi_i.ar.addr[5:0]} & {15{axi_i.ar.burst == BurstIncr}}) +
          ({7'b0, axi_i.ar.len} + 15'd1 << axi_i.ar.size) <= 15'd64 + 15'({axi_i.ar.addr[2:0]}))
  `ASSERT(WriteWithinLine, !axi_i.aw_valid || ({9'b0, axi_i.aw.addr[5:0]} & {15{axi_i.aw.burst == BurstIncr}}) +
          ({7'b0, axi_i.aw.len} + 15'd1 << axi_i.aw.size) <= 15'd64 + 15'({axi_i.aw.addr[2:0]}))
endmodule
