// hub with flat ports: lines by a number, each of one word eight times.
module hub_tb
  import line_pkg::*;
  import hub_pkg::*;
(
  input  logic        clk_i,
  input  logic        rst_ni,
  input  logic [3:0]  present_i,
  output logic [31:0] harts_o,
  output logic [31:0] requests_o,
  output logic [31:0] victims_o,
  input  logic [3:0]  request_i,
  input  logic [1:0]  request_kind_i [4],
  input  logic [4:0]  request_id_i [4],
  input  logic [7:0]  request_line_i [4],
  input  logic [3:0]  up_i,
  input  logic [3:0]  up_put_i,
  input  logic [3:0]  up_has_i,
  input  logic [3:0]  up_keeps_i,
  input  logic [3:0]  up_gave_i,
  input  logic [3:0]  up_refuses_i,
  input  logic [4:0]  up_tag_i [4],
  input  logic [7:0]  up_line_i [4],
  input  logic [63:0] up_word_i [4],
  output logic [3:0]  down_o,
  output logic [2:0]  down_kind_o [4],
  output logic [4:0]  down_tag_o [4],
  output logic [7:0]  down_line_o [4],
  output logic [3:0]  answer_o,
  output logic [4:0]  answer_id_o,
  output logic [4:0]  answer_transaction_o,
  output logic        answer_exclusive_o,
  output logic        answer_dirty_o,
  output logic        answer_peer_o,
  output logic        answer_llc_miss_o,
  output logic        answer_error_o,
  output logic        answer_refused_o,
  output logic        answer_torn_o,
  output logic [63:0] answer_word_o,
  input  logic [3:0]  done_i,
  input  logic [4:0]  done_transaction_i [4],
  output logic        memory_o,
  output logic        memory_write_o,
  output logic        memory_insn_o,
  output logic        memory_torn_o,
  output logic [4:0]  memory_id_o,
  output logic [7:0]  memory_line_o,
  output logic [63:0] memory_word_o,
  input  logic        memory_ready_i,
  input  logic        memory_resp_i,
  input  logic        memory_resp_llc_i,
  input  logic        memory_resp_error_i,
  input  logic [4:0]  memory_resp_id_i,
  input  logic [63:0] memory_resp_word_i
);
  localparam int unsigned Harts = 4, Requests = 8, Transactions = 3, Victims = 2;
  localparam logic [49:0] Region = 50'h2_0000_0000_0002;  // of all lines
  assign harts_o = Harts;
  assign requests_o = Requests;
  assign victims_o = Victims;

  hub_request_t request [Harts];
  hub_up_t up [Harts];
  hub_down_t down [Harts];
  hub_answer_t answer [Harts], any_answer;
  hub_done_t done [Harts];
  line_req_t memory_req;
  for (genvar h = 0; h < Harts; h++) begin : gen_hart
    assign request[h] = '{valid: request_i[h], kind: hub_request_e'(request_kind_i[h]), id: request_id_i[h],
                          line: {Region, request_line_i[h]}};
    assign up[h] = '{valid: up_i[h], put: up_put_i[h], tag: up_tag_i[h], line: {Region, up_line_i[h]}, has: up_has_i[h],
                     keeps: up_keeps_i[h], gave: up_gave_i[h], refuses: up_refuses_i[h], data: {8{up_word_i[h]}}};
    assign done[h] = '{valid: done_i[h], transaction: done_transaction_i[h]};
    assign down_o[h] = down[h].valid;
    assign down_kind_o[h] = down[h].kind;
    assign down_tag_o[h] = down[h].tag;
    assign down_line_o[h] = down[h].line[57:8] == Region ? down[h].line[7:0] : '1;
    assign answer_o[h] = answer[h].valid;
  end
  always_comb begin
    any_answer = answer[0];
    for (int h = 0; h < int'(Harts); h++) if (answer[h].valid) any_answer = answer[h];
  end
  assign answer_id_o = any_answer.id;
  assign answer_transaction_o = any_answer.transaction;
  assign answer_exclusive_o = any_answer.exclusive;
  assign answer_dirty_o = any_answer.dirty;
  assign answer_peer_o = any_answer.peer;
  assign answer_llc_miss_o = any_answer.llc_miss;
  assign answer_error_o = any_answer.error;
  assign answer_refused_o = any_answer.refused;
  assign answer_word_o = any_answer.data[63:0];
  assign answer_torn_o = any_answer.data != {8{any_answer.data[63:0]}};
  assign memory_o = memory_req.valid;
  assign memory_write_o = memory_req.write;
  assign memory_id_o = memory_req.id;
  assign memory_line_o = memory_req.addr[63:14] == Region && memory_req.addr[5:0] == '0 ? memory_req.addr[13:6] : '1;
  assign memory_word_o = memory_req.data[63:0];
  assign memory_torn_o = memory_req.data != {8{memory_req.data[63:0]}};

  hub #(.Harts(Harts), .Requests(Requests), .Transactions(Transactions), .Victims(Victims)) u_dut (
    .clk_i, .rst_ni, .present_i, .request_i(request), .up_i(up), .down_o(down), .answer_o(answer), .done_i(done),
    .memory_req_o(memory_req), .memory_insn_o, .memory_ready_i,
    .memory_resp_i('{valid: memory_resp_i, id: memory_resp_id_i, llc_miss: memory_resp_llc_i,
                     error: memory_resp_error_i, data: {8{memory_resp_word_i}}})
  );
endmodule
