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
  free_ptr_t head_q, committed_q, committed_d;
  logic written_q;  // commits have gone round once: every slot is written

  function automatic free_ptr_t add(input free_ptr_t a, input int unsigned n);
    add.wrap = a.wrap ^ ring_wraps(32'(a.idx), n, Entries);
    add.idx = FreeBits'(ring_sum(32'(a.idx), n, Entries));
  endfunction

  int unsigned used;
  assign used = ring_used(head_q.wrap == committed_q.wrap, 32'(committed_q.idx), 32'(head_q.idx), Entries);

  // ---- what each lane gets ----
  always_comb begin
    automatic int unsigned n = 0;
    /* verilator lint_off UNUSEDSIGNAL */  // its wrap bit has no say
    automatic free_ptr_t slot;
    /* verilator lint_on UNUSEDSIGNAL */
    for (int i = 0; i < CoreWidth; i++) begin
      slot = add(head_q, n);
      pd_o[i] = (written_q || slot.idx < committed_q.idx) ? ring_q[slot_t'(slot.idx)]
                : PregBits'(First + 32'(slot.idx));
      empty_o[i] = want_i[i] && used + n >= Entries;
      if (want_i[i]) n++;
      head_after_o[i] = add(head_q, n);
    end
  end

  free_ptr_t head_d;
  always_comb begin
    head_d = head_q;
    for (int i = 0; i < CoreWidth; i++) if (fire_i[i]) head_d = head_after_o[i];
    if (squash_valid_i) head_d = squash_all_i ? committed_d : squash_head_i;
  end

  // ---- commit ----
  free_ptr_t com_slot [CoreWidth];
  always_comb begin
    automatic int unsigned n = 0;
    for (int i = 0; i < CoreWidth; i++) begin
      com_slot[i] = add(committed_q, n);
      if (com_valid_i[i]) n++;
    end
    committed_d = add(committed_q, n);
  end

  always_ff @(posedge clk_i)
    if (!rst_ni) begin
      head_q <= '0;
      committed_q <= '0;
      written_q <= 1'b0;
    end else begin
      head_q <= head_d;
      committed_q <= committed_d;
      written_q <= written_q || committed_d.wrap;
    end

  always_ff @(posedge clk_i)
    for (int i = 0; i < CoreWidth; i++) if (com_valid_i[i]) ring_q[slot_t'(com_slot[i].idx)] <= com_old_i[i];

  `include "assert.svh"
  `ASSERT(NeverOverfull, used <= Entries)
  for (genvar i = 0; i < CoreWidth; i++) begin : gen_assert
    logic frees_x0;
    assign frees_x0 = com_valid_i[i] && com_old_i[i] == '0;
    `ASSERT(NoX0, !frees_x0)
  end
endmodule
