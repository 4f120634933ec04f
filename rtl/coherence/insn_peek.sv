// An instruction miss asks the hub, which does not snoop the data cache of who asks, and looks into that itself: dirty
// data there are newer than what the hub answers. One at a time looks.
//
//   req_i, may_i -> take_o; peek_o, a PEEK among the snoops, until peek_take_i
//                     |-> from that cycle on ask_o, until ask_take_i -> the answer
//                     '-> its ACK comes up: with data, which take the answer's place
//
// From take_o to its answer no data request of its line may go to the hub, and none may be open as it begins (may_i):
// else what is not here may have come, with data that memory does not have. The PEEK is in the queue of snoops when the
// request has left: what the hub sends after it has read memory, and could take dirty data away, comes behind.
`include "assert.svh"

module insn_peek
  import line_pkg::*;
  import hub_pkg::*;
(
  input  logic clk_i,
  input  logic rst_ni,
  input  line_req_t req_i,
  input  logic may_i,
  output logic take_o,
  // to the data cache, and its answer
  output hub_down_t peek_o,
  input  logic peek_take_i,
  /* verilator lint_off UNUSEDSIGNAL */  // data or none
  input  hub_up_t up_i,
  /* verilator lint_on UNUSEDSIGNAL */
  output logic own_o,                    // up_i is that answer
  // to the hub, and its answers
  output hub_request_t ask_o,            // its id: the instruction cache's
  input  logic ask_take_i,
  input  line_resp_t answer_i,           // likewise
  // to the instruction cache
  output line_resp_t resp_o
);
  localparam tag_t OwnTag = '1;          // no transaction's
  typedef enum logic [2:0] { FREE, PEEK, ASK, WAIT, KEPT, FOUND } state_e;
  state_e state_q;
  line_t line_q;
  logic looked_q, has_q;                 // the data cache has answered, with data
  line_resp_t kept_q;                    // those, or the hub's answer that came before

  logic mine, peeks;
  tag_t id;
  line_t line;
  assign take_o = state_q == FREE && req_i.valid && may_i;
  assign id = take_o ? req_i.id : kept_q.id;
  assign line = take_o ? req_i.addr[63:6] : line_q;
  assign peek_o = '{valid: take_o || state_q == PEEK, kind: HUB_PEEK, tag: OwnTag, line: line};
  assign peeks = peek_o.valid && peek_take_i;
  assign own_o = up_i.valid && !up_i.put && up_i.tag == OwnTag;
  assign ask_o = '{valid: peeks || state_q == ASK, kind: HUB_IGET, id: id, line: line};
  assign mine = state_q == WAIT && answer_i.valid && answer_i.id == kept_q.id;

  always_comb begin
    resp_o = answer_i;
    if (mine && !looked_q) resp_o.valid = 1'b0;
    if (mine && has_q) begin
      resp_o.error = 1'b0;
      resp_o.data = kept_q.data;
    end
    if (state_q == FOUND && !answer_i.valid) resp_o = kept_q;
  end

  always_ff @(posedge clk_i)
    if (!rst_ni) state_q <= FREE;
    else
      case (state_q)
        FREE, PEEK: if (peek_o.valid) state_q <= !peek_take_i ? PEEK : ask_take_i ? WAIT : ASK;
        ASK: if (ask_take_i) state_q <= WAIT;
        WAIT:
          if (mine) state_q <= looked_q ? FREE : own_o ? FOUND : KEPT;
          else if ((looked_q && !has_q) || (own_o && !up_i.has)) state_q <= FREE;
        KEPT: if (own_o) state_q <= FOUND;
        default: if (!answer_i.valid) state_q <= FREE;
      endcase

  always_ff @(posedge clk_i) begin
    if (take_o) begin
      line_q <= req_i.addr[63:6];
      looked_q <= 1'b0;
      has_q <= 1'b0;
      kept_q.valid <= 1'b1;
      kept_q.id <= req_i.id;
    end
    if (mine && !looked_q) begin
      kept_q.llc_miss <= answer_i.llc_miss;
      kept_q.error <= answer_i.error;
      kept_q.data <= answer_i.data;
    end
    if (own_o) looked_q <= 1'b1;
    if (own_o && up_i.has) begin
      has_q <= 1'b1;
      kept_q.error <= 1'b0;
      kept_q.data <= up_i.data;
    end
  end

  `ASSERT(OwnIsAwaited, !own_o || (state_q != FREE && state_q != PEEK && !looked_q && up_i.line == line_q))
  `ASSERT(TagIsOwn, 32'(OwnTag) >= MostTransactions)
endmodule
