// The hub between the tiles of a run, as a model of its own: messages as plain ports, which harness/hub_shim.cpp fills
// and reads. Eight harts, those of present_i, and then the host's port: it keeps no copy, and gets no snoops.
module hub_top
  import line_pkg::*;
  import hub_pkg::*;
#(
  parameter int unsigned Harts = 9,          // and the rest as of hub; a request of a hart for each MSHR of its data
  parameter int unsigned Requests = 1 << $clog2(config_pkg::DcMshrs + 4),  // cache, and 4 of its instruction cache
  parameter int unsigned Transactions = 16,
  parameter int unsigned Victims = 16
) (
  input  logic         clk_i,
  input  logic         rst_ni,
  input  logic [Harts-2:0] present_i,
  // from the harts
  input  logic [Harts-1:0] request_i,
  input  logic [1:0]   request_kind_i [Harts],
  input  logic [4:0]   request_id_i [Harts],
  input  logic [57:0]  request_line_i [Harts],
  input  logic [Harts-1:0] up_i,
  input  logic [4:0]   up_flags_i [Harts],       // put, has, keeps, gave, refuses: from bit 0 on
  input  logic [4:0]   up_tag_i [Harts],
  input  logic [57:0]  up_line_i [Harts],
  input  logic [511:0] up_data_i [Harts],
  input  logic [Harts-1:0] done_i,
  input  logic [4:0]   done_transaction_i [Harts],
  // to the harts
  output logic [Harts-1:0] down_o,
  output logic [2:0]   down_kind_o [Harts],
  output logic [4:0]   down_tag_o [Harts],
  output logic [57:0]  down_line_o [Harts],
  output logic [Harts-1:0] answer_o,             // one at most has the answer
  output logic [4:0]   answer_id_o,
  output logic [4:0]   answer_transaction_o,
  output logic [5:0]   answer_flags_o,       // exclusive, dirty, peer, llc_miss, error, refused: from bit 0 on
  output logic [511:0] answer_data_o,
  // memory
  output logic         memory_o,
  output logic         memory_write_o,
  output logic         memory_insn_o,
  output logic [4:0]   memory_id_o,
  output logic [63:0]  memory_addr_o,
  output logic [511:0] memory_data_o,
  input  logic         memory_ready_i,
  input  logic         memory_resp_i,
  input  logic [1:0]   memory_resp_flags_i,  // llc_miss, error: from bit 0 on
  input  logic [4:0]   memory_resp_id_i,
  input  logic [511:0] memory_resp_data_i,
  // in a cycle without a message and a line from memory nothing would happen
  output logic         still_o
);
  hub_request_t request [Harts];
  hub_up_t up [Harts];
  hub_done_t done [Harts];
  hub_down_t down [Harts];
  hub_answer_t answer [Harts];
  /* verilator lint_off UNUSEDSIGNAL */  // valid is each hart's
  hub_answer_t the_answer;
  /* verilator lint_on UNUSEDSIGNAL */
  line_req_t memory_req;
  for (genvar h = 0; h < Harts; h++) begin : gen_hart
    assign request[h] = '{valid: request_i[h], kind: hub_request_e'(request_kind_i[h]), id: request_id_i[h],
                          line: request_line_i[h]};
    assign up[h] = '{valid: up_i[h], put: up_flags_i[h][0], has: up_flags_i[h][1], keeps: up_flags_i[h][2],
                     gave: up_flags_i[h][3], refuses: up_flags_i[h][4], tag: up_tag_i[h], line: up_line_i[h],
                     data: up_data_i[h]};
    assign done[h] = '{valid: done_i[h], transaction: done_transaction_i[h]};
    assign down_o[h] = down[h].valid;
    assign down_kind_o[h] = down[h].kind;
    assign down_tag_o[h] = down[h].tag;
    assign down_line_o[h] = down[h].line;
    assign answer_o[h] = answer[h].valid;
  end
  assign the_answer = answer[0];  // all have the same, and one is valid
  assign answer_id_o = the_answer.id;
  assign answer_transaction_o = the_answer.transaction;
  assign answer_flags_o = {the_answer.refused, the_answer.error, the_answer.llc_miss, the_answer.peer,
                           the_answer.dirty, the_answer.exclusive};
  assign answer_data_o = the_answer.data;
  assign memory_o = memory_req.valid;
  assign memory_write_o = memory_req.write;
  assign memory_id_o = memory_req.id;
  assign memory_addr_o = memory_req.addr;
  assign memory_data_o = memory_req.data;

  hub #(.Harts(Harts), .Requests(Requests), .Transactions(Transactions), .Victims(Victims)) u_hub (
    .clk_i, .rst_ni, .present_i({1'b0, present_i}), .request_i(request), .up_i(up), .down_o(down), .answer_o(answer),
    .done_i(done),
    .memory_req_o(memory_req), .memory_insn_o, .memory_ready_i,
    .memory_resp_i('{valid: memory_resp_i, id: memory_resp_id_i, llc_miss: memory_resp_flags_i[0],
                     error: memory_resp_flags_i[1], data: memory_resp_data_i})
  );

  // Nothing waits to be taken in, for the memory port, or to be answered, and no transaction ends.
  assign still_o = u_hub.u_requests.fresh_q == '0 && u_hub.up_valid == '0 && !u_hub.any &&
                   !u_hub.u_transactions.answer && u_hub.ended == '0;
endmodule
