// Miss status holding registers: one for each line that is on its way to the L1 data cache.
//
// A miss either joins the MSHR of its line or takes a free one (one new MSHR a cycle). Requests leave in order of
// allocation. A response waits here with its data until the cache takes it, in turn, so that none waits for long:
//
//   miss (M1, t) -> request (t+1 or later) ... response (r) -> selected (r+1 or later) -> refill (one cycle later)
//
// A request whose line is in the write-back buffer waits until memory has it, and so do those after it. It is enough to
// look there when the MSHR is taken: a line with an MSHR is not in the cache, so it cannot leave it.
//
// Invariant: no two valid MSHRs hold the same line. An MSHR is valid up to and including its refill cycle, so a miss
// always finds the line either here or, one cycle later, in the cache. Where the bus has answered with an error there
// is no line (refill_o.error): who waits for it ends with that, and the next miss asks again.
//
// Where several caches are coherent, who needs to own a line may join a request for any copy: it looks again when that
// has come, and asks again. So does whoever joined a prefetch that was refused (refill_o.refused). Whoever asks to
// own a line gives up its shared copy then (dcache).
`include "assert.svh"

module mshr_file
  import config_pkg::*;
  import ring_pkg::*;
  import core_pkg::*;
  import line_pkg::*;
  import dcache_pkg::*;
(
  input  logic clk_i,
  input  logic rst_ni,
  // M1: misses
  input  logic [MemPorts-1:0] miss_i,
  input  mshr_rank_e rank_i [MemPorts],
  input  line_t line_i [MemPorts],
  /* verilator lint_off UNUSEDSIGNAL */  // without harts.coherent
  input  look_ask_t ask_i [MemPorts],
  /* verilator lint_on UNUSEDSIGNAL */
  input  wb_vec_t leaves_i [MemPorts],       // entries of the write-back buffer that hold that line
  output logic [MemPorts-1:0] join_o,        // the line comes with MSHR id_o
  output mshr_t id_o [MemPorts],
  output logic full_o,
  // requests
  input  wb_vec_t gone_i,                    // of those entries: memory has the line
  output get_t get_o,
  /* verilator lint_off UNUSEDSIGNAL */  // without harts.coherent; from another cache
  input  get_in_t get_i,
  /* verilator lint_on UNUSEDSIGNAL */
  // refill
  input  logic refill_room_i,                // a refill may be selected in this cycle
  output set_ask_t refill_next_o,            // one is selected: refill_o in the next cycle
  output refill_t refill_o,
  output arrival_t arrival_o,
  output logic [LineBits-1:0] refill_data_o
);
  typedef logic [DcMshrs-1:0] vec_t;
  localparam int unsigned CountBits = $clog2(DcMshrs + 1);

  vec_t valid_q, filled_q, llc_q, error_q;
  line_t line_q [DcMshrs];
  wb_vec_t behind_q [DcMshrs];               // its request waits for these
  mshr_t queue_q [DcMshrs];                  // requests not sent yet, in order
  mshr_t q_head_q, q_tail_q;
  logic [CountBits-1:0] q_count_q;
  logic refill_valid_q;
  mshr_t refill_id_q;

  // ---- misses ----
  vec_t free;
  mshr_t free_id;
  logic spare, alloc;
  line_t alloc_line;
  wb_vec_t alloc_leaves;
  /* verilator lint_off UNUSEDSIGNAL */  // without harts.coherent
  look_ask_t alloc_ask;
  /* verilator lint_on UNUSEDSIGNAL */
  always_comb begin
    free = ~valid_q;
    free_id = '0;
    for (int i = DcMshrs - 1; i >= 0; i--) if (free[i]) free_id = mshr_t'(i);
    spare = (free & (free - vec_t'(1))) != '0;
    alloc = 1'b0;
    alloc_line = line_i[0];
    alloc_leaves = leaves_i[0];
    alloc_ask = ask_i[0];
    for (int p = 0; p < MemPorts; p++) begin
      join_o[p] = 1'b0;
      id_o[p] = free_id;
      for (int i = 0; i < DcMshrs; i++)
        if (miss_i[p] && valid_q[i] && line_q[i] == line_i[p]) begin
          join_o[p] = 1'b1;
          id_o[p] = mshr_t'(i);
        end
    end
    for (int p = 0; p < MemPorts; p++)
      if (miss_i[p] && rank_i[p] == RANK_FIRST && !join_o[p] && free != '0) begin
        alloc = 1'b1;
        alloc_line = line_i[p];
        alloc_leaves = leaves_i[p];
        alloc_ask = ask_i[p];
      end
    for (int p = 0; p < MemPorts; p++)
      if (miss_i[p] && !join_o[p]) begin
        if (alloc) join_o[p] = alloc_line == line_i[p];
        else if (free != '0 && (spare || rank_i[p] != RANK_SPARE)) begin
          alloc = 1'b1;
          alloc_line = line_i[p];
          alloc_leaves = leaves_i[p];
          alloc_ask = ask_i[p];
          join_o[p] = 1'b1;
        end
      end
  end
  assign full_o = free == '0;

  // ---- requests ----
  mshr_t req_id;
  assign req_id = queue_q[q_head_q];

  function automatic mshr_t next(input mshr_t i);
    next = mshr_t'(ring_sum(32'(i), 1, DcMshrs));
  endfunction

  // ---- refill ----
  mshr_t select_id, resp_id;
  vec_t refused, peer;                       // nothing, without harts.coherent
  always_comb begin
    automatic vec_t ahead = filled_q & ({DcMshrs{1'b1}} << refill_id_q) & ~(vec_t'(1) << refill_id_q);
    if (ahead == '0) ahead = filled_q;
    select_id = '0;
    for (int i = DcMshrs - 1; i >= 0; i--) if (ahead[i]) select_id = mshr_t'(i);
  end
  assign refill_next_o = '{valid: filled_q != '0 && refill_room_i, at: line_q[select_id][DcSetBits-1:0]};
  assign refill_o = '{
    valid: refill_valid_q, id: refill_id_q, line: line_q[refill_id_q], llc: llc_q[refill_id_q],
    peer: peer[refill_id_q], error: error_q[refill_id_q], refused: refused[refill_id_q]
  };
  assign resp_id = mshr_t'(get_i.resp.id);
  logic [LineBits-1:0] refill_data [1];
  mp_ram #(.Words(DcMshrs), .Width(LineBits)) u_data (
    .clk_i, .rst_ni, .read_i(1'b1), .read_addr_i('{refill_id_q}), .data_o(refill_data),
    .write_i(get_i.resp.valid), .write_addr_i('{resp_id}), .write_data_i('{get_i.resp.data})
  );
  assign refill_data_o = refill_data[0];

  // ---- copies ----
  if (Coherent) begin : gen_copy
    arrival_t copy_q [DcMshrs];
    vec_t refused_q, peer_q;
    hold_e hold [MemPorts];                  // the longest of those of this cycle that ask for the port's line
    always_comb
      for (int p = 0; p < MemPorts; p++) begin
        hold[p] = ask_i[p].hold;
        for (int q = 0; q < MemPorts; q++)
          if (join_o[q] && line_i[q] == line_i[p] && ask_i[q].hold > hold[p]) hold[p] = ask_i[q].hold;
      end
    assign refused = refused_q;
    assign peer = peer_q;
    assign arrival_o = copy_q[refill_id_q];
    assign get_o = '{valid: q_count_q != '0 && behind_q[req_id] == '0, id: req_id, line: line_q[req_id],
                     kind: copy_q[req_id].asked.kind};
    always_ff @(posedge clk_i) begin
      if (alloc) copy_q[free_id].asked <= alloc_ask;
      for (int p = 0; p < MemPorts; p++)  // the longest of those that have joined
        if (join_o[p] && (!valid_q[id_o[p]] || hold[p] > copy_q[id_o[p]].asked.hold))
          copy_q[id_o[p]].asked.hold <= hold[p];
      if (get_i.resp.valid) begin
        copy_q[resp_id].owned <= get_i.resp.exclusive;
        copy_q[resp_id].dirty <= get_i.resp.dirty;
        copy_q[resp_id].transaction <= get_i.resp.transaction;
        refused_q[resp_id] <= get_i.resp.refused;
        peer_q[resp_id] <= get_i.resp.peer && !get_i.resp.refused;
      end
    end
    `ASSERT(OwnIsOwned, !refill_valid_q || copy_q[refill_id_q].asked.kind != hub_pkg::HUB_OWN ||
                        copy_q[refill_id_q].owned || error_q[refill_id_q])
  end else begin : gen_alone
    assign refused = '0;
    assign peer = '0;
    assign arrival_o = '{owned: 1'b1, asked: '{kind: hub_pkg::HUB_GET, hold: HOLD_NONE}, default: '0};
    assign get_o = '{valid: q_count_q != '0 && behind_q[req_id] == '0, id: req_id, line: line_q[req_id],
                     kind: hub_pkg::HUB_GET};
  end

  always_ff @(posedge clk_i) begin
    if (!rst_ni) begin
      valid_q <= '0;
      filled_q <= '0;
      q_head_q <= '0;
      q_tail_q <= '0;
      q_count_q <= '0;
      refill_valid_q <= 1'b0;
      refill_id_q <= '0;
    end else begin
      if (alloc) begin
        valid_q[free_id] <= 1'b1;
        q_tail_q <= next(q_tail_q);
      end
      if (get_i.take) q_head_q <= next(q_head_q);
      q_count_q <= q_count_q + CountBits'(alloc) - CountBits'(get_i.take);
      if (get_i.resp.valid) filled_q[resp_id] <= 1'b1;
      if (refill_next_o.valid) filled_q[select_id] <= 1'b0;
      refill_valid_q <= refill_next_o.valid;
      if (refill_next_o.valid) refill_id_q <= select_id;
      if (refill_valid_q) valid_q[refill_id_q] <= 1'b0;
    end
  end

  always_ff @(posedge clk_i) begin
    for (int i = 0; i < DcMshrs; i++) behind_q[i] <= behind_q[i] & ~gone_i;
    if (alloc) begin
      behind_q[free_id] <= alloc_leaves & ~gone_i;
      line_q[free_id] <= alloc_line;
      queue_q[q_tail_q] <= free_id;
    end
    if (get_i.resp.valid) begin
      llc_q[resp_id] <= get_i.resp.llc_miss && !get_i.resp.refused;
      error_q[resp_id] <= get_i.resp.error;
    end
  end

  `ASSERT(ResponseExpected, !get_i.resp.valid || (valid_q[resp_id] && !filled_q[resp_id] &&
                                                  get_i.resp.id == 5'(resp_id)))
  for (genvar i = 0; i < DcMshrs; i++) begin : gen_bound  // one refill each of all others, and a writer after each
    wait_bound #(.Most(64)) u_refill (.clk_i, .rst_ni, .wants_i(filled_q[i]), .counts_i(refill_room_i));
  end
  `ASSERT(RequestExists, !get_i.take || get_o.valid)
endmodule
