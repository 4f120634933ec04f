// Lines that have come to the L1 data cache, and that other harts may not take away yet: who has asked for one uses it
// first, else two that miss would take it from each other forever. The hub keeps a line until it hears `done`, so it
// is that which waits here; no snoop ever waits in the cache.
//
//   refill (t) -> held from t+1 until it is used, or for a number of cycles -> done_o, one a cycle, in any order
//
// Use: a lookup that hits, of a line asked for as the only copy one that writes. A ring: where it is full, the place
// that a line gets is free because the one that had it is held no longer. An LR that waits for another hart's store, in
// a loop, never writes: after a hold for an atomic that ended unused, that line has none for as many cycles.
module dcache_hold
  import config_pkg::*;
  import dcache_pkg::*;
(
  input  logic clk_i,
  input  logic rst_ni,
  input  logic arrives_i,                    // refill_i has a line
  /* verilator lint_off UNUSEDSIGNAL */  // its line is all
  input  refill_t refill_i,
  input  arrival_t arrival_i,
  /* verilator lint_on UNUSEDSIGNAL */
  // lookups that hit
  input  logic [MemPorts-1:0] hit_i,
  input  logic [MemPorts-1:0] write_i,
  input  line_t line_i [MemPorts],
  output hub_pkg::hub_done_t done_o
);
  // A use comes soon after the refill, where it is not kept from its port: a drain waits 15 cycles, then goes first.
  localparam int unsigned UseCycles = 32;
  localparam int unsigned AtomicCycles = 64;
  localparam int unsigned Entries = 8;
  typedef logic [$clog2(AtomicCycles+1)-1:0] count_t;
  typedef logic [$clog2(Entries)-1:0] idx_t;

  logic [Entries-1:0] valid_q, write_q, atomic_q, ends, used;
  line_t line_q [Entries];
  count_t left_q [Entries];
  hub_pkg::tag_t transaction_q [Entries];
  idx_t tail_q, end_idx [1], out;
  logic any, full;

  always_comb
    for (int i = 0; i < Entries; i++) begin
      ends[i] = valid_q[i] && left_q[i] == '0;
      used[i] = 1'b0;
      for (int p = 0; p < MemPorts; p++)
        if (hit_i[p] && line_i[p] == line_q[i] && (write_i[p] || !write_q[i])) used[i] = 1'b1;
    end
  find_first #(.Width(Entries)) u_end (.set_i(ends), .valid_o(any), .idx_o(end_idx));
  assign full = arrives_i && valid_q[tail_q];
  assign out = full ? tail_q : end_idx[0];
  // ---- holds that ended unused ----
  line_t idle_line_q;
  count_t idle_q, hold;
  logic unused;                              // one for an atomic ends so in this cycle
  idx_t unused_at;
  always_comb begin
    unused = 1'b0;
    unused_at = '0;
    for (int i = 0; i < Entries; i++)
      if (valid_q[i] && atomic_q[i] && left_q[i] == count_t'(1) && !used[i]) begin
        unused = 1'b1;
        unused_at = idx_t'(i);
      end
    case (arrival_i.asked.hold)
      HOLD_NONE: hold = '0;
      HOLD_USE: hold = count_t'(UseCycles);
      default: hold = idle_q != '0 && idle_line_q == refill_i.line ? '0 : count_t'(AtomicCycles);
    endcase
  end
  always_ff @(posedge clk_i) begin
    if (!rst_ni) idle_q <= '0;
    else if (unused) idle_q <= count_t'(AtomicCycles);
    else if (idle_q != '0) idle_q <= idle_q - count_t'(1);
    if (unused) idle_line_q <= line_q[unused_at];
  end

  assign done_o = '{valid: any || full, transaction: transaction_q[out]};

  always_ff @(posedge clk_i)
    if (!rst_ni) begin
      valid_q <= '0;
      tail_q <= '0;
    end else begin
      if (done_o.valid) valid_q[out] <= 1'b0;
      if (arrives_i) begin
        valid_q[tail_q] <= 1'b1;
        tail_q <= tail_q + idx_t'(1);
      end
    end

  always_ff @(posedge clk_i) begin
    for (int i = 0; i < Entries; i++)
      if (used[i]) left_q[i] <= '0;
      else if (left_q[i] != '0) left_q[i] <= left_q[i] - count_t'(1);
    if (arrives_i) begin
      line_q[tail_q] <= refill_i.line;
      write_q[tail_q] <= arrival_i.asked.kind == hub_pkg::HUB_OWN;
      transaction_q[tail_q] <= arrival_i.transaction;
      atomic_q[tail_q] <= arrival_i.asked.hold == HOLD_ATOMIC;
      left_q[tail_q] <= hold;
    end
  end
endmodule
