// Dirty lines that leave the L1 data cache: a ring of WbEntries, each here until it is acknowledged.
//
// A line pushed in cycle t is offered from t+1 on, the oldest first. Acknowledgements come in any order. Until then a
// search finds the line, and whoever would ask memory for it waits (mshr_file): what has been accepted may still be on
// its way, and a search of memory would miss it.
//
// Invariant: the lines that have not been sent are those from send_q up to tail_q, all valid. So there is room for the
// next line if the entry at tail_q is free.
//
// Where several caches are coherent, a snoop looks here, too, and may take a line's data: what has not been sent then
// goes without them, for the acknowledgement.
`include "assert.svh"

module writeback_buffer
  import config_pkg::*;
  import core_pkg::*;
  import line_pkg::*;
  import dcache_pkg::*;
(
  input  logic clk_i,
  input  logic rst_ni,
  input  wb_push_t push_i,
  output logic room1_o,                      // one more fits
  output logic room2_o,                      // two more fit
  output logic empty_o,                      // nothing is left to be acknowledged
  // search
  input  line_t look_line_i [MemPorts],
  output wb_vec_t look_found_o [MemPorts],   // in these entries
  // a snoop's search; no put is taken in its cycle
  /* verilator lint_off UNUSEDSIGNAL */  // without harts.coherent
  input  line_t snoop_line_i,
  input  logic snoop_take_i,
  /* verilator lint_on UNUSEDSIGNAL */
  output wb_snoop_t snoop_o,
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

  localparam int unsigned Reads = Coherent ? 2 : 1;
  wb_vec_t void_q;                           // a snoop has taken the data
  wb_idx_t read_at [Reads];
  logic [Reads-1:0] read;
  logic [LineBits-1:0] data [Reads];
  assign read_at[0] = send_q;
  assign read[0] = 1'b1;
  assign put_o = '{valid: unsent_q[send_q], id: send_q, line: line_q[send_q], has: !void_q[send_q], data: data[0]};
  mp_ram #(.Words(WbEntries), .Width(LineBits), .Reads(Reads)) u_data (
    .clk_i, .rst_ni, .read_i(read), .read_addr_i(read_at), .data_o(data),
    .write_i(push_i.valid), .write_addr_i('{tail_q}), .write_data_i('{push_i.data})
  );

  if (Coherent) begin : gen_snoop
    wb_vec_t live;                           // one at most
    wb_idx_t live_idx [1];
    always_comb
      for (int i = 0; i < WbEntries; i++) live[i] = valid_q[i] && !void_q[i] && line_q[i] == snoop_line_i;
    find_first #(.Width(WbEntries)) u_live (.set_i(live), .valid_o(snoop_o.live), .idx_o(live_idx));
    assign read_at[1] = live_idx[0];
    assign read[1] = snoop_o.live;
    assign snoop_o.data = data[1];
    always_ff @(posedge clk_i) begin
      if (snoop_take_i) void_q <= void_q | live;
      if (push_i.valid) void_q[tail_q] <= 1'b0;
    end
    `ASSERT(OneLive, (live & (live - wb_vec_t'(1))) == '0)
    `ASSERT(NoPutInSnoop, !(snoop_take_i && put_i.take))
  end else begin : gen_alone
    assign void_q = '0;
    assign snoop_o = '0;
  end

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
      if (push_i.valid) begin
        valid_q[tail_q] <= 1'b1;
        unsent_q[tail_q] <= 1'b1;
        tail_q <= tail_q + wb_idx_t'(1);
      end
    end
  end

  always_ff @(posedge clk_i) if (push_i.valid) line_q[tail_q] <= push_i.line;

  wb_vec_t sent;
  assign sent = valid_q & (~unsent_q | (put_i.take ? wb_vec_t'(1) << send_q : '0));
  `ASSERT(NoOverflow, !push_i.valid || room1_o)
  `ASSERT(NoUnderflow, !put_i.take || put_o.valid)
  `ASSERT(DoneWasSent, (put_i.done & ~sent) == '0)
endmodule
