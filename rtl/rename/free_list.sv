// Free physical registers of one kind: a ring that never changes its number of entries.
//
//      committed_q            head_q
//          | in flight ...      | free ...        (wraps round to committed_q)
//
// Allocation takes from head_q on. A commit of an instruction with a destination moves committed_q past the entry it
// was given and puts the register that it replaced there: that very slot is the tail of the free part. A squash moves
// head_q back: to the branch's own head, or to committed_q. Latency: a register freed in cycle t is handed out in t+1.
// Invariant: every register of its kind but x0's is in exactly one of: the committed map, this ring. The ring needs no
// reset: slots that no commit has written yet stand for registers First, First + 1, ... in order (after reset the
// 32 before First are mapped).
module free_list
  import config_pkg::*;
  import ring_pkg::*;
  import core_pkg::*;
  import rename_pkg::*;
#(
  parameter int unsigned Entries = IntFree,
  parameter int unsigned First = 32
) (
  input  logic clk_i,
  input  logic rst_ni,
  // allocation: lanes in program order
  input  logic [CoreWidth-1:0] want_i,             // lane has a destination
  input  logic [CoreWidth-1:0] fire_i,
  output preg_t pd_o [CoreWidth],                  // what the lane gets
  output logic [CoreWidth-1:0] empty_o,            // lane wants one and there is none
  // recovery
  input  logic squash_valid_i,
  input  logic squash_all_i,
  input  free_ptr_t squash_head_i,
  output free_ptr_t head_after_o [CoreWidth],  // head after the lanes up to this one are renamed
  // commit, in age order
  input  logic [CoreWidth-1:0] com_valid_i,        // commits and has a destination
  input  preg_t com_old_i [CoreWidth]
);
  // free_ptr_t's index may be wider: it is made for the larger of two lists
  typedef logic [$clog2(Entries)-1:0] slot_t;
  preg_t ring_q [Entries];
  free_ptr_t head [CoreWidth+1], committed [CoreWidth+1];  // n places on
  free_ptr_t head_q, committed_q, committed_d;
  count_t taking, leaving;
  assign head_q = head[0];
  assign committed_q = committed[0];
  logic written_q;  // commits have gone round once: every slot is written

  int unsigned used;
  assign used = ring_used(head_q.wrap == committed_q.wrap, 32'(committed_q.idx), 32'(head_q.idx), Entries);

  // ---- what each lane gets ----
  always_comb begin
    automatic int unsigned n = 0;
    for (int i = 0; i < CoreWidth; i++) begin
      pd_o[i] = (written_q || head[n].idx < committed_q.idx) ? ring_q[slot_t'(head[n].idx)]
                : PregBits'(First + 32'(head[n].idx));
      empty_o[i] = want_i[i] && used + n >= Entries;
      if (want_i[i]) n++;
      head_after_o[i] = head[n];
    end
  end

  always_comb begin
    taking = '0;
    for (int i = 0; i < CoreWidth; i++) if (fire_i[i] && want_i[i]) taking = taking + count_t'(1);
  end
  ring_ptr #(.Size(Entries), .Most(CoreWidth), .IdxBits(FreeBits)) u_head (
    .clk_i, .rst_ni, .put_i(squash_valid_i), .put_at_i(squash_all_i ? committed_d : squash_head_i), .step_i(taking),
    .at_o(head)
  );

  // ---- commit ----
  count_t com_before [CoreWidth];
  always_comb begin
    leaving = '0;
    for (int i = 0; i < CoreWidth; i++) begin
      com_before[i] = leaving;
      if (com_valid_i[i]) leaving = leaving + count_t'(1);
    end
  end
  assign committed_d = committed[leaving];
  ring_ptr #(.Size(Entries), .Most(CoreWidth), .IdxBits(FreeBits)) u_committed (
    .clk_i, .rst_ni, .put_i(1'b0), .put_at_i('0), .step_i(leaving), .at_o(committed)
  );

  always_ff @(posedge clk_i) begin
    written_q <= rst_ni && (written_q || committed_d.wrap);
    for (int i = 0; i < CoreWidth; i++)
      if (com_valid_i[i]) ring_q[slot_t'(committed[com_before[i]].idx)] <= com_old_i[i];
  end

  `include "assert.svh"
  `ASSERT(NeverOverfull, used <= Entries)
  for (genvar i = 0; i < CoreWidth; i++) begin : gen_assert
    logic frees_x0;
    assign frees_x0 = com_valid_i[i] && com_old_i[i] == '0;
    `ASSERT(NoX0, !frees_x0)
  end
endmodule
