// Store queue: every store from dispatch until it is in the cache or its device, in program order.
//
//      head_q        drain_q        sq_commit_q        tail_q
//        | in M1 ...    | committed ...   | in the ROB ...  |
//
// head_q: oldest entry, frees when written. drain_q: next to be sent to the cache; at most one store is in M1 and it
// is head_q, so a miss simply sets drain_q back. sq_commit_q: next store to commit; what is before it survives every
// squash. One that its line or device has answered with an error leaves undone (lost_o). Invariant: known_q (the
// address is known) and data_q (the data are) are zero outside [head, tail); they may come in either order. sq_addr_q,
// sq_data_q (low bytes) and sq_commit_q are also read by the host's accesses.
module store_queue
  import config_pkg::*;
  import ring_pkg::*;
  import core_pkg::*;
  import dcache_pkg::*;
  import lsu_pkg::*;
(
  input  logic clk_i,
  input  logic rst_ni,
  input  squash_t squash_i,
  // dispatch and commit
  input  logic [CoreWidth-1:0] dis_store_i,
  input  logic [CoreWidth-1:0] dis_fire_i,
  output sq_idx_t dis_sq_o [CoreWidth],
  output logic [CoreWidth-1:0] dis_full_o,
  input  logic [$clog2(CoreWidth+1)-1:0] com_stores_i,
  // EX: address and data arrive
  input  store_ex_t ex_i [MemPorts],
  output logic [MemPorts-1:0] ex_data_o,       // the data are known, from now on at the latest
  output logic [MemPorts-1:0] ex_addr_o,       // the address was known before
  // M1: loads look for the youngest older store that meets their bytes
  input  store_look_t look_i [MemPorts],
  output store_found_t found_o [MemPorts],
  // EX: drain to the cache, oldest first, urgent when it has waited long enough or found no MSHR; M1: how the one
  // before went
  output drain_t drain_o,
  input  logic drain_take_i,
  input  drain_end_t drain_end_i,
  input  refill_t refill_i,
  // the oldest store, if it goes to a device
  output store_device_t dev_o,
  input  store_device_end_t dev_end_i,
  output access_t [CoreWidth-1:0] left_o,      // those of com_stores_i
  output lost_store_t lost_o,                  // an entry leaves without being done
  // an entry leaves
  output logic free_valid_o,
  output sq_idx_t free_sq_o,
  output logic empty_o,                        // no store at all
  output logic committed_empty_o               // no committed store
);
  localparam int unsigned IdxBits = SqBits - 1;

  sq_idx_t head_q, drain_q, sq_commit_q, tail_q, head_d, drain_d, commit_d, tail_d;
  sq_vec_t known_q, data_q, device_q;
  word_t sq_addr_q [SqEntries];
  word_t sq_data_q [SqEntries];
  logic [1:0] sq_size_q [SqEntries];
  logic [7:0] mask_q [SqEntries];

  // ---- pointers ----
  always_comb begin
    automatic int unsigned used = sq_used(head_q, tail_q);
    automatic int unsigned ahead = 0;
    for (int i = 0; i < CoreWidth; i++) begin
      dis_sq_o[i] = sq_add(tail_q, ahead);
      dis_full_o[i] = dis_store_i[i] && used + ahead >= SqEntries;
      if (dis_store_i[i]) ahead++;
    end
  end

  // The oldest has missed: it sleeps, or its line does not come, for there is none.
  logic asleep, fails, lacks;
  refill_wait u_refill_wait (
    .clk_i, .rst_ni, .line_i(line_of(sq_addr_q[head_q.idx])), .miss_i(drain_end_i.miss), .join_i(drain_end_i.join_),
    .full_i(drain_end_i.full), .end_i(free_valid_o), .refill_i, .asleep_o(asleep), .fails_o(fails),
    .lacks_o(lacks),
    /* verilator lint_off PINCONNECTEMPTY */  // a store has no event of its line
    .arrives_o()
    /* verilator lint_on PINCONNECTEMPTY */
  );

  // Apart from the above: what fires depends on what is full.
  always_comb begin
    commit_d = sq_add(sq_commit_q, 32'(com_stores_i));
    tail_d = tail_q;
    for (int i = 0; i < CoreWidth; i++) if (dis_store_i[i] && dis_fire_i[i]) tail_d = sq_add(dis_sq_o[i], 1);
    if (squash_i.valid) tail_d = squash_i.all ? commit_d : squash_i.sq_tail;

    head_d = head_q;
    drain_d = drain_q;
    if (drain_take_i) drain_d = sq_add(drain_q, 1);
    if (free_valid_o) head_d = sq_add(head_q, 1);
    if (dev_end_i.valid || fails) drain_d = sq_add(drain_q, 1);
    if (drain_end_i.miss) drain_d = head_q;
  end

  assign lost_o = '{valid: fails || (dev_end_i.valid && dev_end_i.lost), addr: sq_addr_q[head_q.idx]};
  assign free_valid_o = drain_end_i.hit || dev_end_i.valid || fails;
  assign free_sq_o = head_q;
  assign empty_o = head_q == tail_q;
  assign committed_empty_o = head_q == sq_commit_q;

  always_comb begin
    automatic logic [IdxBits-1:0] at = sq_commit_q.idx;
    left_o = '0;
    for (int i = 0; i < CoreWidth; i++)
      if (32'(com_stores_i) > i) begin
        left_o[i] = '{reads: 1'b0, writes: 1'b1, addr: sq_addr_q[at], data: sq_data_q[at], size: sq_size_q[at]};
        at = IdxBits'(ring_sum(32'(at), 1, SqEntries));
      end
  end

  // ---- drain ----
  logic next_device, waited;
  assign next_device = device_q[drain_q.idx];
  assign drain_o.valid = drain_q != sq_commit_q && !next_device && !asleep && !fails && !drain_end_i.miss;
  port_wait u_port_wait (.clk_i, .rst_ni, .asks_i(drain_o.valid), .take_i(drain_take_i), .urgent_o(waited));
  assign drain_o.urgent = waited || lacks;
  assign drain_o.lacks = lacks;
  assign drain_o.addr = sq_addr_q[drain_q.idx];
  assign drain_o.word = sq_data_q[drain_q.idx] << {sq_addr_q[drain_q.idx][2:0], 3'd0};
  assign drain_o.mask = mask_q[drain_q.idx];
  assign dev_o.valid = drain_q != sq_commit_q && next_device && drain_q == head_q;
  assign dev_o.addr = sq_addr_q[head_q.idx];
  assign dev_o.data = sq_data_q[head_q.idx];
  assign dev_o.size = sq_size_q[head_q.idx];

  // ---- search for loads ----
  // The youngest older one is the last below the load's own position, else the last of all.
  for (genvar p = 0; p < MemPorts; p++) begin : gen_search
    sq_vec_t older, met, whole, below, last_of, last_of_below;  // whole: of those met, who has all bytes
    logic found, found_below, full;
    logic [IdxBits-1:0] last, last_below, best;
    assign older = look_i[p].valid ? known_q & sq_range(head_q, look_i[p].sq) : '0;
    always_comb begin
      met = '0;
      whole = '0;
      if (older != '0)
        for (int i = 0; i < SqEntries; i++)
          if (older[i] && sq_addr_q[i][63:3] == look_i[p].addr[63:3] && (mask_q[i] & look_i[p].mask) != 8'd0) begin
            met[i] = 1'b1;
            whole[i] = data_q[i] && (look_i[p].mask & ~mask_q[i]) == 8'd0;
          end
    end
    assign below = met & ~({SqEntries{1'b1}} << look_i[p].sq.idx);
    find_last #(.Width(SqEntries)) u_last (.set_i(met), .valid_o(found), .last_o(last_of), .idx_o(last));
    find_last #(.Width(SqEntries)) u_last_below (.set_i(below), .valid_o(found_below), .last_o(last_of_below),
                                                 .idx_o(last_below));
    assign best = found_below ? last_below : last;
    assign full = found_below ? (last_of_below & whole) != '0 : (last_of & whole) != '0;
    assign found_o[p] = '{full: full, part: found && !full, sq: '{wrap: look_i[p].sq.wrap ^ !found_below, idx: best},
                          word: sq_data_q[best] << {sq_addr_q[best][2:0], 3'd0}};
  end

  // ---- state ----
  sq_vec_t known_set, data_set, gone;
  always_comb begin
    known_set = '0;
    data_set = '0;
    for (int p = 0; p < MemPorts; p++) begin
      if (ex_i[p].valid) known_set[ex_i[p].sq.idx] = 1'b1;
      if (ex_i[p].has_data) data_set[ex_i[p].sq.idx] = 1'b1;
    end
    for (int p = 0; p < MemPorts; p++) begin
      ex_data_o[p] = data_q[ex_i[p].sq.idx] || data_set[ex_i[p].sq.idx];
      ex_addr_o[p] = known_q[ex_i[p].sq.idx];
    end
    gone = '0;
    if (squash_i.valid) gone = sq_range(tail_d, tail_q);
    if (free_valid_o) gone[head_q.idx] = 1'b1;
  end

  always_ff @(posedge clk_i) begin
    if (!rst_ni) begin
      head_q <= '0;
      drain_q <= '0;
      sq_commit_q <= '0;
      tail_q <= '0;
      known_q <= '0;
      data_q <= '0;
    end else begin
      head_q <= head_d;
      drain_q <= drain_d;
      sq_commit_q <= commit_d;
      tail_q <= tail_d;
      known_q <= (known_q | known_set) & ~gone;
      data_q <= (data_q | data_set) & ~gone;
    end
  end

  always_ff @(posedge clk_i)
    for (int p = 0; p < MemPorts; p++) begin
      if (ex_i[p].has_data) sq_data_q[ex_i[p].sq.idx] <= ex_i[p].data;
      if (ex_i[p].valid) begin
        sq_addr_q[ex_i[p].sq.idx] <= ex_i[p].addr;
        sq_size_q[ex_i[p].sq.idx] <= ex_i[p].size;
        mask_q[ex_i[p].sq.idx] <= byte_mask(ex_i[p].size, ex_i[p].addr[2:0]);
        device_q[ex_i[p].sq.idx] <= ex_i[p].device;
      end
    end

  `include "assert.svh"
  `ASSERT(CommittedIsKnown, com_stores_i == '0 || (known_q[sq_commit_q.idx] && data_q[sq_commit_q.idx]))
  `ASSERT(OneWay, !(dev_end_i.valid && (drain_end_i.hit || drain_end_i.miss || drain_take_i)))
endmodule
