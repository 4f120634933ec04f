// Dirty lines that leave the L1 data cache: a ring of WbEntries, each here until it is acknowledged.
//
// A line pushed in cycle t is offered from t+1 on, the oldest first. Acknowledgements come in any order. Until then a
// search finds the line, and whoever would ask memory for it waits (mshr_file): what has been accepted may still be on
// its way, and a search of memory would miss it.
//
// Invariant: the lines that have not been sent are those from send_q up to tail_q, all valid. So there is room for the
// next line if the entry at tail_q is free.
module writeback_buffer
  import config_pkg::*;
  import core_pkg::*;
  import line_pkg::*;
  import lsu_pkg::*;
(
  input  logic clk_i,
  input  logic rst_ni,
  input  logic push_i,
  input  line_t push_line_i,
  input  logic [LineBits-1:0] push_data_i,
  output logic room1_o,                      // one more fits
  output logic room2_o,                      // two more fit
  output logic empty_o,                      // nothing is left to be acknowledged
  // search
  input  line_t look_line_i [MemPorts],
  output wb_vec_t look_found_o [MemPorts],   // in these entries
  // to memory
  output put_t put_o,
  input  put_in_t put_i
);
  wb_vec_t valid_q, unsent_q;
  wb_idx_t send_q, tail_q;                   // WbEntries is a power of two
  line_t line_q [WbEntries];

  assign room1_o = !valid_q[tail_q];
  assign room2_o = room1_o && !valid_q[tail_q + wb_idx_t'(1)];
  assign empty_o = valid_q == '0;

  always_comb
    for (int p = 0; p < MemPorts; p++)
      for (int i = 0; i < WbEntries; i++) look_found_o[p][i] = valid_q[i] && line_q[i] == look_line_i[p];

  logic [LineBits-1:0] data [1];
  assign put_o = '{valid: unsent_q[send_q], id: send_q, line: line_q[send_q], data: data[0]};
  mp_ram #(.Words(WbEntries), .Width(LineBits)) u_data (
    .clk_i, .rst_ni, .read_i(1'b1), .read_addr_i('{send_q}), .data_o(data),
    .write_i(push_i), .write_addr_i('{tail_q}), .write_data_i('{push_data_i})
  );

  always_ff @(posedge clk_i) begin
    if (!rst_ni) begin
      valid_q <= '0;
      unsent_q <= '0;
      send_q <= '0;
      tail_q <= '0;
    end else begin
      valid_q <= valid_q & ~put_i.done;
      if (put_i.take) begin
        unsent_q[send_q] <= 1'b0;
        send_q <= send_q + wb_idx_t'(1);
      end
      if (push_i) begin
        valid_q[tail_q] <= 1'b1;
        unsent_q[tail_q] <= 1'b1;
        tail_q <= tail_q + wb_idx_t'(1);
      end
    end
  end

  always_ff @(posedge clk_i) if (push_i) line_q[tail_q] <= push_line_i;

  `include "assert.svh"
  wb_vec_t sent;
  assign sent = valid_q & (~unsent_q | (put_i.take ? wb_vec_t'(1) << send_q : '0));
  `ASSERT(NoOverflow, !push_i || room1_o)
  `ASSERT(NoUnderflow, !put_i.take || put_o.valid)
  `ASSERT(DoneWasSent, (put_i.done & ~sent) == '0)
endmodule
