// Queue of instructions between fetch and decode: a packet in, up to CoreWidth instructions out, in a cycle.
//
// A packet written in one cycle can be read in the next. ready_o promises room for a full packet. Instructions leave
// in program order; the lanes read are contiguous from lane 0.
`include "assert.svh"

module fetch_buffer
  import config_pkg::*;
  import core_pkg::*;
  import fetch_pkg::*;
(
  input  logic        clk_i,
  input  logic        rst_ni,
  input  logic        flush_i,
  // a packet: the instructions that end in the slots of push_slots_i
  output logic        ready_o,
  input  logic        push_i,
  input  block_addr_t push_block_i,
  input  slots_t      push_slots_i,
  input  slots_t      push_rvc_i,
  input  slots_t      push_taken_i,     // predicted to leave the packet there
  input  logic [31:0] push_insn_i [FetchWidth],
  input  ftq_idx_t    push_ftq_i,
  input  logic        push_fault_i,
  input  missed_t     push_missed_i,    // goes to the first instruction
  // decode
  output fetch_insn_t insn_o [CoreWidth],
  output logic [CoreWidth-1:0] valid_o,
  input  logic [CoreWidth-1:0] take_i
);
  if (FetchBuffer < FetchWidth || FetchBuffer < CoreWidth) begin : gen_too_small
    $error("fetch.buffer must hold a full packet (fetch.width) and feed all lanes (core.width)");
  end

  localparam int unsigned PtrBits = $clog2(FetchBuffer);
  localparam int unsigned CountBits = $clog2(FetchBuffer + 1);
  typedef logic [PtrBits-1:0] ptr_t;
  typedef logic [CountBits-1:0] count_t;
  typedef struct packed {
    logic [31:0] insn;
    logic rvc;
    ftq_idx_t ftq;
    logic taken;
    logic fault;
    missed_t missed;
  } rest_t;

  // Two arrays of at most 64 bits each: an instruction as one word would be slow to move in simulation.
  word_t pc [FetchBuffer];
  rest_t rest [FetchBuffer];
  ptr_t head [CoreWidth+1], tail [FetchWidth+1];  // n places on
  count_t count_q, pushed, taken;
  ring_ptr #(.Size(FetchBuffer), .Most(CoreWidth), .Wrap(1'b0)) u_head (
    .clk_i, .rst_ni, .put_i(flush_i), .put_at_i('0), .step_i(($clog2(CoreWidth + 1))'(taken)), .at_o(head)
  );
  ring_ptr #(.Size(FetchBuffer), .Most(FetchWidth), .Wrap(1'b0)) u_tail (
    .clk_i, .rst_ni, .put_i(flush_i), .put_at_i('0), .step_i(($clog2(FetchWidth + 1))'(pushed)), .at_o(tail)
  );

  assign ready_o = count_q <= count_t'(FetchBuffer - FetchWidth);

  // ---- write ----
  always_comb begin
    pushed = '0;
    for (int unsigned s = 0; s < FetchWidth; s++) if (push_i && push_slots_i[s]) pushed = pushed + 1'b1;
  end

  always_ff @(posedge clk_i) begin
    int unsigned n;
    n = 0;
    if (push_i) begin
      for (int unsigned s = 0; s < FetchWidth; s++) begin
        if (push_slots_i[s]) begin
          pc[tail[n]] <= {push_block_i, slot_t'(s), 1'b0} - (push_rvc_i[s] ? 64'd0 : 64'd2);
          rest[tail[n]] <= '{insn: push_insn_i[s], rvc: push_rvc_i[s], ftq: push_ftq_i, taken: push_taken_i[s],
                        fault: push_fault_i, missed: n == 0 && Vectors != 0 ? push_missed_i : '0};
          n++;
        end
      end
    end
  end

  // ---- read ----
  always_comb begin
    ptr_t at;
    taken = '0;
    for (int unsigned l = 0; l < CoreWidth; l++) begin
      at = head[l];
      valid_o[l] = count_q > count_t'(l);
      insn_o[l] = '{pc: pc[at], insn: rest[at].insn, rvc: rest[at].rvc, ftq: rest[at].ftq, pred_taken: rest[at].taken,
                    fault: rest[at].fault, dr_l1: rest[at].missed.l1, dr_tlb: rest[at].missed.tlb};
      if (take_i[l]) taken = taken + 1'b1;
    end
  end

  always_ff @(posedge clk_i)
    if (!rst_ni || flush_i) count_q <= '0;
    else count_q <= count_q + pushed - taken;

  `ASSERT(AsrtTakeValid, (take_i & ~valid_o) == '0)
  `ASSERT(AsrtTakePrefix, (take_i & (take_i + 1'b1)) == '0)
  `ASSERT(AsrtRoom, !push_i || ready_o || flush_i)
endmodule
