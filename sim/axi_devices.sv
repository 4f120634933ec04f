// Devices behind AXI4, one access at a time: in front of the device port of sim/machine.sv. The channels are ready now
// and then.
module axi_devices
  import core_pkg::*;
  import line_pkg::*;
  import bus_pkg::*;
(
  input  logic         clk_i,
  input  logic         rst_ni,
  input  axi_req_t     axi_req_i,
  output axi_resp_t    axi_resp_o,
  output device_req_t  device_req_o,
  input  logic         device_ready_i,
  input  device_resp_t device_resp_i
);
  typedef enum logic [1:0] { IDLE, ASK, WAIT, ANSWER } state_e;
  state_e state_q;
  logic [3:0] turn_q;
  logic addr_q, data_q, write_q, error_q;  // what has come
  logic [1:0] size_q;
  word_t at_q, word_q, answer_q;

  always_comb begin
    device_req_o = '{valid: state_q == ASK, write: write_q, size: size_q, addr: at_q, data: word_q};
    axi_resp_o = '0;
    axi_resp_o.aw_ready = state_q == IDLE && !addr_q && turn_q[1];
    axi_resp_o.ar_ready = state_q == IDLE && !addr_q && turn_q[0];
    axi_resp_o.w_ready = state_q == IDLE && !data_q && turn_q[2];
    axi_resp_o.b.valid = state_q == ANSWER && write_q;
    axi_resp_o.r.valid = state_q == ANSWER && !write_q;
    axi_resp_o.b.resp = error_q ? RespDecErr : RespOkay;
    axi_resp_o.r.resp = error_q ? RespDecErr : RespOkay;
    axi_resp_o.r.data = answer_q;
    axi_resp_o.r.last = 1'b1;
  end

  // The lane that an address begins in.
  function automatic logic [5:0] lane(input logic [2:0] addr);
    lane = {addr, 3'd0};
  endfunction

  always_ff @(posedge clk_i) begin
    if (!rst_ni) begin
      state_q <= IDLE;
      turn_q <= '0;
      addr_q <= 1'b0;
      data_q <= 1'b0;
    end else begin
      turn_q <= turn_q + 4'd5;
      case (state_q)
        IDLE: begin
          if (axi_req_i.aw.valid && axi_resp_o.aw_ready) begin
            addr_q <= 1'b1;
            write_q <= 1'b1;
            at_q <= axi_req_i.aw.addr;
            size_q <= axi_req_i.aw.size[1:0];
          end
          if (axi_req_i.w.valid && axi_resp_o.w_ready) begin
            data_q <= 1'b1;
            word_q <= axi_req_i.w.data;
          end
          if (axi_req_i.ar.valid && axi_resp_o.ar_ready) begin
            state_q <= ASK;
            write_q <= 1'b0;
            at_q <= axi_req_i.ar.addr;
            size_q <= axi_req_i.ar.size[1:0];
          end
          if (addr_q && data_q) begin
            state_q <= ASK;
            word_q <= word_q >> lane(at_q[2:0]);
          end
        end
        ASK: if (device_ready_i) state_q <= WAIT;
        WAIT: if (device_resp_i.valid) state_q <= ANSWER;
        default: begin
          state_q <= IDLE;
          addr_q <= 1'b0;
          data_q <= 1'b0;
        end
      endcase
    end
    if (state_q == WAIT) begin
      answer_q <= device_resp_i.data << lane(at_q[2:0]);
      error_q <= device_resp_i.error;
    end
  end
endmodule
