// Rules of AXI4 that both sides of a link keep (IHI 0022, A3.2 to A3.4, A5.3): a checker, bound to each link of the
// bench.
//
//   what is valid stays, and stays as it is, until it is taken
//   a burst does not cross 4 KiB; its beats have the size of the bus, or it is one beat of a natural size
//   of W exactly the last beat is marked, by the length of its AW where that came first
//   a response is one that was asked for: B after its AW and its last W, R by its ID, with as many beats as its AR
//   said, the last marked nobody asks under an ID again that is in flight (rtl/soc keeps this; AXI does not ask for it)
module axi_rules
  import bus_pkg::*;
(
  input logic      clk_i,
  input logic      rst_ni,
  input axi_req_t  req_i,
  input axi_resp_t resp_i
);
  localparam int unsigned Ids = 1 << BusIdBits;

  axi_req_t req_q;
  axi_resp_t resp_q;
  logic [Ids-1:0] reads_q;      // in flight
  logic [8:0] left_q [Ids];     // beats
  logic [7:0] aw_count_q, w_count_q, b_count_q;  // of whole transactions
  logic [8:0] w_beat_q;
  logic [7:0] len_q [16];       // of AWs, in order

  /* verilator lint_off UNUSEDSIGNAL */  // fields that every burst may have as it likes
  function automatic logic fits(input axi_a_t a);
  /* verilator lint_on UNUSEDSIGNAL */
    automatic logic [63:0] bytes = (64'(a.len) + 64'd1) << a.size;
    fits = a.burst == BurstIncr && a.size <= 3'($clog2(BusBytes)) && (a.addr & ((64'd1 << a.size) - 64'd1)) == '0 &&
           64'(a.addr[11:0]) + bytes <= 64'd4096 && (a.len == '0 || a.size == 3'($clog2(BusBytes)));
  endfunction

  logic aw, w, b, ar, r;  // handshakes
  assign aw = req_i.aw.valid && resp_i.aw_ready;
  assign w = req_i.w.valid && resp_i.w_ready;
  assign b = resp_i.b.valid && req_i.b_ready;
  assign ar = req_i.ar.valid && resp_i.ar_ready;
  assign r = resp_i.r.valid && req_i.r_ready;

  always_ff @(posedge clk_i) begin
    if (!rst_ni) begin
      reads_q <= '0;
      aw_count_q <= '0;
      w_count_q <= '0;
      b_count_q <= '0;
      w_beat_q <= '0;
    end else begin
      if (aw) aw_count_q <= aw_count_q + 8'd1;
      if (w) w_beat_q <= req_i.w.last ? '0 : w_beat_q + 9'd1;
      if (w && req_i.w.last) w_count_q <= w_count_q + 8'd1;
      if (b) b_count_q <= b_count_q + 8'd1;
      if (r && resp_i.r.last) reads_q[resp_i.r.id] <= 1'b0;
      if (ar) reads_q[req_i.ar.id] <= 1'b1;
    end
    if (aw) len_q[aw_count_q[3:0]] <= req_i.aw.len;
    if (r) left_q[resp_i.r.id] <= left_q[resp_i.r.id] - 9'd1;
    if (ar) left_q[req_i.ar.id] <= 9'(req_i.ar.len) + 9'd1;
    req_q <= req_i;
    resp_q <= resp_i;
  end

  // Offered and not taken in the cycle before.
  logic first_q;
  always_ff @(posedge clk_i) first_q <= !rst_ni;
  `include "assert.svh"
  `ASSERT(AwStays, first_q || !(req_q.aw.valid && !resp_q.aw_ready) || req_i.aw == req_q.aw)
  `ASSERT(WStays, first_q || !(req_q.w.valid && !resp_q.w_ready) || req_i.w == req_q.w)
  `ASSERT(ArStays, first_q || !(req_q.ar.valid && !resp_q.ar_ready) || req_i.ar == req_q.ar)
  `ASSERT(BStays, first_q || !(resp_q.b.valid && !req_q.b_ready) || resp_i.b == resp_q.b)
  `ASSERT(RStays, first_q || !(resp_q.r.valid && !req_q.r_ready) || resp_i.r == resp_q.r)
  `ASSERT(AwFits, !req_i.aw.valid || fits(req_i.aw))
  `ASSERT(ArFits, !req_i.ar.valid || fits(req_i.ar))
  `ASSERT(LastW, !w || w_count_q == aw_count_q || req_i.w.last == (w_beat_q == 9'(len_q[w_count_q[3:0]])))
  `ASSERT(LengthOfW, !aw || w_count_q == aw_count_q || w_beat_q <= 9'(req_i.aw.len))
  `ASSERT(BAsked, !resp_i.b.valid || (b_count_q != aw_count_q && b_count_q != w_count_q))
  `ASSERT(RAsked, !resp_i.r.valid || reads_q[resp_i.r.id])
  `ASSERT(LastR, !resp_i.r.valid || resp_i.r.last == (left_q[resp_i.r.id] == 9'd1))
  `ASSERT(OneAnId, !ar || !reads_q[req_i.ar.id])
endmodule
