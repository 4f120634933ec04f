// Uncached accesses, one at a time: device stores in program order after commit, device loads as the oldest
// instruction.
//
// The two never compete: a device load starts only when no committed store is left.
// A load's data waits in ld_data_o until it is taken to write its register.
module device_port
  import core_pkg::*;
  import line_pkg::*;
  import lsu_pkg::*;
(
  input  logic clk_i,
  input  logic rst_ni,
  // store
  input  store_device_t st_i,        // held until st_end_o
  output store_device_end_t st_end_o,
  // load
  input  logic ld_start_i,
  input  word_t ld_addr_i,
  input  logic [1:0] ld_size_i,
  output logic ld_valid_o,           // data is valid
  output logic ld_error_o,           // the bus has answered with an error
  output word_t ld_data_o,           // low bytes
  input  logic ld_take_i,
  output logic idle_o,
  // device
  output device_req_t device_req_o,
  input  logic device_ready_i,
  input  device_resp_t device_resp_i
);
  typedef enum logic [1:0] { IDLE, REQUEST, WAIT, LOADED } state_e;
  state_e state_q;
  logic write_q, error_q;
  logic [1:0] size_q;
  word_t addr_q, data_q;

  assign idle_o = state_q == IDLE;
  assign st_end_o = '{valid: state_q == WAIT && write_q && device_resp_i.valid, lost: device_resp_i.error};
  assign ld_valid_o = state_q == LOADED;
  assign ld_error_o = error_q;
  assign ld_data_o = data_q;
  assign device_req_o = '{valid: state_q == REQUEST, write: write_q, size: size_q, addr: addr_q, data: data_q};

  always_ff @(posedge clk_i) begin
    if (!rst_ni) state_q <= IDLE;
    else
      case (state_q)
        IDLE: if (ld_start_i || st_i.valid) state_q <= REQUEST;
        REQUEST: if (device_ready_i) state_q <= WAIT;
        WAIT: if (device_resp_i.valid) state_q <= write_q ? IDLE : LOADED;
        default: if (ld_take_i) state_q <= IDLE;
      endcase
  end

  always_ff @(posedge clk_i)
    if (state_q == IDLE) begin
      write_q <= !ld_start_i;
      size_q <= ld_start_i ? ld_size_i : st_i.size;
      addr_q <= ld_start_i ? ld_addr_i : st_i.addr;
      data_q <= st_i.data;
    end else if (state_q == WAIT && device_resp_i.valid) begin
      data_q <= device_resp_i.data;
      error_q <= device_resp_i.error;
    end

  `include "assert.svh"
  `ASSERT(NotBoth, !(ld_start_i && (st_i.valid || state_q != IDLE)))
  `ASSERT(ResponseExpected, !device_resp_i.valid || state_q == WAIT)
endmodule
