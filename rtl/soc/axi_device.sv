// The tile's device port as an AXI4 manager: one access at a time, one beat of its own size, device memory.
//
//   IDLE -> SEND (the address and, of a write, its data, each until it is taken) -> WAIT (for B or R) -> IDLE, with the
//   response
//
// A write's response is that of B: the next access begins when the device has had it.
module axi_device
  import core_pkg::*;
  import line_pkg::*;
  import bus_pkg::*;
(
  input  logic         clk_i,
  input  logic         rst_ni,
  input  device_req_t  device_req_i,
  output logic         device_ready_o,
  output device_resp_t device_resp_o,
  output axi_req_t     axi_req_o,
  input  axi_resp_t    axi_resp_i,
  output bus_error_t   error_o        // of the access that is over; the port reports it, too
);
  typedef enum logic [1:0] { IDLE, SEND, WAIT } state_e;
  state_e state_q;
  logic write_q, addr_sent_q, data_sent_q;
  logic [1:0] size_q;
  word_t addr_q, data_q;
  logic addr_taken, data_taken, answered;

  assign device_ready_o = state_q == IDLE;
  assign addr_taken = addr_sent_q || (write_q ? axi_resp_i.aw_ready : axi_resp_i.ar_ready);
  assign data_taken = data_sent_q || !write_q || axi_resp_i.w_ready;
  assign answered = state_q == WAIT && (write_q ? axi_resp_i.b.valid : axi_resp_i.r.valid);

  assign error_o = '{
    valid: answered && (write_q ? axi_resp_i.b.resp[1] : axi_resp_i.r.resp[1]), write: write_q, insn: 1'b0, addr: addr_q
  };

  axi_a_t address;
  always_comb begin
    address = '{
      valid: 1'b1, id: '0, addr: addr_q, len: '0, size: {1'b0, size_q}, burst: BurstIncr, cache: CacheDevice,
      prot: ProtData
    };
    axi_req_o = '0;
    axi_req_o.aw = address;
    axi_req_o.ar = address;
    axi_req_o.aw.valid = state_q == SEND && write_q && !addr_sent_q;
    axi_req_o.ar.valid = state_q == SEND && !write_q && !addr_sent_q;
    axi_req_o.w.valid = state_q == SEND && write_q && !data_sent_q;
    axi_req_o.w.data = data_q << {addr_q[2:0], 3'd0};
    axi_req_o.w.strb = BusBytes'((9'd1 << (4'd1 << size_q)) - 9'd1) << addr_q[2:0];
    axi_req_o.w.last = 1'b1;
    axi_req_o.b_ready = 1'b1;
    axi_req_o.r_ready = 1'b1;
  end

  always_ff @(posedge clk_i) begin
    if (!rst_ni) begin
      state_q <= IDLE;
      device_resp_o.valid <= 1'b0;
    end else begin
      case (state_q)
        IDLE: if (device_req_i.valid) state_q <= SEND;
        SEND: if (addr_taken && data_taken) state_q <= WAIT;
        default: if (answered) state_q <= IDLE;
      endcase
      device_resp_o.valid <= answered;
    end
  end

  // The bytes of a word that an access has, low ones first.
  function automatic word_t low_bytes(input word_t word, input logic [1:0] size);
    case (size)
      2'd0: low_bytes = {56'd0, word[7:0]};
      2'd1: low_bytes = {48'd0, word[15:0]};
      2'd2: low_bytes = {32'd0, word[31:0]};
      default: low_bytes = word;
    endcase
  endfunction

  always_ff @(posedge clk_i) begin
    if (state_q == IDLE) begin
      write_q <= device_req_i.write;
      size_q <= device_req_i.size;
      addr_q <= device_req_i.addr;
      data_q <= device_req_i.data;
      addr_sent_q <= 1'b0;
      data_sent_q <= 1'b0;
    end else if (state_q == SEND) begin
      addr_sent_q <= addr_taken;
      data_sent_q <= data_taken;
    end
    if (answered) device_resp_o.error <= error_o.valid;
    if (answered) device_resp_o.data <= low_bytes(axi_resp_i.r.data >> {addr_q[2:0], 3'd0}, size_q);
  end

  `include "assert.svh"
  `ASSERT(Natural, state_q == IDLE || (addr_q & ((word_t'(1) << size_q) - 64'd1)) == '0)
  `ASSERT(NoResponseUnasked, !(axi_resp_i.b.valid || axi_resp_i.r.valid) || state_q == WAIT)
endmodule
