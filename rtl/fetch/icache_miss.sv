// Misses of the instruction cache: requests to the outer memory, fills, next-line prefetch.
//
// A demand miss or the first use of a prefetched line asks for the next line, if that lies in the same 4 KiB
// page, is not cached (probed one cycle earlier) and half of the registers are free. A response is registered and
// written to the arrays in the cycle after it came. Lines asked for before an invalidation are not written, and none
// that the bus has answered with an error. Such an answer is kept for F1 (error_o) if F1 has missed that very line and
// still waits for it: so nobody hears of one that was only prefetched, or asked for on a path that was left (drop_i).
// drop_i is the latest of all inputs. A miss in its cycle is not asked for; it decides nothing but that, so that a
// prefetch due then is given up.
`include "assert.svh"

module icache_miss
  import core_pkg::*;
  import line_pkg::*;
  import icache_pkg::*;
(
  input  logic       clk_i,
  input  logic       rst_ni,
  input  logic       invalidate_i,
  // F1
  input  logic       miss_i,         // in line miss_line_i, which has not been filled since its tags were read
  input  logic       hit_i,
  input  line_addr_t line_i,
  input  logic       drop_i,         // nobody waits for what has been asked for, nor for line_i
  output logic       error_o,        // line_i: F1 has waited for it, and the bus has answered with an error
  output logic       pending_o,      // the missing line is asked for from now on: wait for a fill, then try again
  // next-line prefetch: is it in the cache? Answers in the next cycle.
  output logic       probe_o,
  output line_addr_t probe_line_o,
  input  logic       probe_hit_i,
  // fill
  output logic       fill_o,         // a line arrives in this cycle (also one that is not written)
  output logic       fill_write_o,
  output line_addr_t fill_line_o,
  output logic [LineBits-1:0] fill_data_o,
  // outer memory
  output line_req_t  req_o,
  input  logic       ready_i,
  input  line_resp_t resp_i
);
  localparam int unsigned Entries = 4;
  localparam int unsigned IdBits = $clog2(Entries);
  typedef logic [IdBits-1:0] id_t;

  logic [Entries-1:0] valid_q, asked_q, stale_q, wanted_q;  // wanted: F1 has missed it
  line_addr_t line_q [Entries];

  // ---- response, registered ----
  logic fill_q, fill_error_q;
  id_t fill_id_q;
  logic [LineBits-1:0] fill_data_q;
  always_ff @(posedge clk_i) begin
    if (!rst_ni) fill_q <= 1'b0;
    else fill_q <= resp_i.valid;
    if (resp_i.valid) begin
      fill_id_q <= resp_i.id[IdBits-1:0];
      fill_data_q <= resp_i.data;
      fill_error_q <= resp_i.error;
    end
  end
  assign fill_o = fill_q;
  assign fill_write_o = fill_q && !fill_error_q && !stale_q[fill_id_q] && !invalidate_i;
  assign fill_line_o = line_q[fill_id_q];
  assign fill_data_o = fill_data_q;

  // ---- an error that F1 waits for ----
  logic error_q, fill_bad;
  line_addr_t error_line_q;
  assign fill_bad = fill_q && fill_error_q && wanted_q[fill_id_q] && !stale_q[fill_id_q];
  assign error_o = error_q && error_line_q == line_i;
  always_ff @(posedge clk_i) begin
    if (!rst_ni || drop_i || invalidate_i) error_q <= 1'b0;
    else if (fill_bad) error_q <= 1'b1;
    if (fill_bad) error_line_q <= line_q[fill_id_q];
  end

  // ---- a register for a new line ----
  id_t free_id;
  logic free, half_free;
  always_comb begin
    logic [IdBits:0] count;
    free_id = '0;
    count = '0;
    for (int unsigned i = 0; i < Entries; i++) begin
      if (!valid_q[i]) begin
        free_id = id_t'(i);
        count = count + 1'b1;
      end
    end
    free = count != '0;
    half_free = count >= (IdBits + 1)'(Entries / 2);
  end

  function automatic logic in_flight(input line_addr_t line);
    in_flight = 1'b0;
    for (int unsigned i = 0; i < Entries; i++) if (valid_q[i] && !stale_q[i] && line_q[i] == line) in_flight = 1'b1;
  endfunction

  // ---- prefetch: wanted -> probed -> asked for or dropped ----
  logic want_q, probed_q, recent_q;  // recent: last_q was prefetched and not used yet
  line_addr_t next_q, last_q;
  logic used, prefetch, demand, known;
  always_comb begin
    known = 1'b0;
    if (miss_i) known = in_flight(line_i);
  end
  assign used = (hit_i || miss_i) && recent_q && line_i == last_q;
  assign demand = miss_i && !known && free && !invalidate_i;
  assign pending_o = (demand || (miss_i && known)) && !fill_q && !invalidate_i;
  assign probe_o = want_q;
  assign probe_line_o = next_q;
  always_comb begin
    prefetch = 1'b0;
    if (probed_q && !probe_hit_i && half_free && !demand && !invalidate_i) prefetch = !in_flight(next_q);
  end

  always_ff @(posedge clk_i) begin
    if (!rst_ni || invalidate_i) begin
      want_q <= 1'b0;
      probed_q <= 1'b0;
      recent_q <= 1'b0;
    end else begin
      want_q <= (demand || used) && !(&line_i[PageLineBits-1:0]) && !drop_i;
      probed_q <= want_q && !demand && !used;
      if (prefetch) recent_q <= 1'b1;
      else if (used && !drop_i) recent_q <= 1'b0;
    end
    if (demand || used) next_q <= line_i + 1'b1;
    if (prefetch) last_q <= next_q;
  end

  // ---- requests: lowest number first ----
  logic ask;
  id_t ask_id;
  always_comb begin
    ask = 1'b0;
    ask_id = '0;
    for (int unsigned i = 0; i < Entries; i++) begin
      if (valid_q[i] && !asked_q[i] && !ask) begin
        ask = 1'b1;
        ask_id = id_t'(i);
      end
    end
  end
  assign req_o = '{valid: ask, write: 1'b0, id: 5'(ask_id), addr: {{64 - AddrBits{1'b0}}, line_q[ask_id], 6'd0},
                   data: '0};

  // ---- registers ----
  always_ff @(posedge clk_i) begin
    if (!rst_ni) begin
      valid_q <= '0;
    end else begin
      if (fill_q) valid_q[fill_id_q] <= 1'b0;
      if (demand || prefetch) begin  // nothing of an entry counts that is not valid
        valid_q[free_id] <= prefetch || !drop_i;
        asked_q[free_id] <= 1'b0;
        stale_q[free_id] <= 1'b0;
      end
      if (ask && ready_i) asked_q[ask_id] <= 1'b1;
      if (invalidate_i) stale_q <= '1;
    end
    for (int unsigned i = 0; i < Entries; i++) if (miss_i && valid_q[i] && line_q[i] == line_i) wanted_q[i] <= 1'b1;
    if (demand || prefetch) begin
      line_q[free_id] <= demand ? line_i : next_q;
      wanted_q[free_id] <= demand;
    end
    if (drop_i) wanted_q <= '0;
  end

  `ASSERT(AsrtResponse, !resp_i.valid || (valid_q[resp_i.id[IdBits-1:0]] && asked_q[resp_i.id[IdBits-1:0]]))
endmodule
