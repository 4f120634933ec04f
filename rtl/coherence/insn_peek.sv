// An instruction miss looks into the data cache of its own tile first, which the hub does not snoop for it: dirty data
// answer it, else it goes to the hub, which asks the others. One at a time.
//
//   req_i, may_i -> take_o -> peek_o, a PEEK among the snoops, until peek_take_i -> its ACK comes up: with data found_o
//                                                                           \-> without: ask_o, until ask_take_i
//
// From take_o to its answer no data request of its line may go to the hub, and none may be open as it begins (may_i):
// else what is not here may have come, with data that memory does not have, before the hub sees the instruction miss.
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
  // to the hub
  output hub_request_t ask_o,            // its id: the instruction cache's
  input  logic ask_take_i,
  // to the instruction cache
  output line_resp_t found_o,
  input  logic found_take_i
);
  localparam tag_t OwnTag = '1;          // no transaction's
  typedef enum logic [2:0] { FREE, PEEK, WAIT, ASK, FOUND } state_e;
  state_e state_q;
  tag_t id_q;
  line_t line_q;
  logic [LineBits-1:0] data_q;

  assign take_o = state_q == FREE && req_i.valid && may_i;
  assign peek_o = '{valid: state_q == PEEK, kind: HUB_PEEK, tag: OwnTag, line: line_q};
  assign own_o = up_i.valid && !up_i.put && up_i.tag == OwnTag;
  assign ask_o = '{valid: state_q == ASK, kind: HUB_IGET, id: id_q, line: line_q};
  assign found_o = '{valid: state_q == FOUND, id: id_q, llc_miss: 1'b0, error: 1'b0, data: data_q};

  always_ff @(posedge clk_i)
    if (!rst_ni) state_q <= FREE;
    else
      case (state_q)
        FREE: if (take_o) state_q <= PEEK;
        PEEK: if (peek_take_i) state_q <= WAIT;
        WAIT: if (own_o) state_q <= up_i.has ? FOUND : ASK;
        ASK: if (ask_take_i) state_q <= FREE;
        default: if (found_take_i) state_q <= FREE;
      endcase

  always_ff @(posedge clk_i) begin
    if (take_o) begin
      id_q <= req_i.id;
      line_q <= req_i.addr[63:6];
    end
    if (own_o) data_q <= up_i.data;
  end

  `ASSERT(OwnIsAwaited, !own_o || (state_q == WAIT && up_i.line == line_q))
  `ASSERT(TagIsOwn, 32'(OwnTag) >= MostTransactions)
endmodule
