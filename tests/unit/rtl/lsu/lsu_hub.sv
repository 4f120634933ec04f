// The hub between the unit and memory, at the end of links of some cycles, with another hart whose messages are flat
// ports.
module lsu_hub
  import line_pkg::*;
  import hub_pkg::*;
(
  input  logic clk_i,
  input  logic rst_ni,
  input  hub_out_t unit_i,
  input  logic unit_take_i,              // its request is taken
  output hub_in_t unit_o,
  output line_req_t memory_o,
  input  line_in_t memory_i,
  // the other hart
  input  logic request_i,
  input  logic [1:0] request_kind_i,
  input  logic [4:0] request_id_i,
  input  logic [63:0] request_addr_i,
  input  logic [5:0] up_i,               // valid put has keeps gave refuses
  input  logic [4:0] up_tag_i,
  input  logic [63:0] up_addr_i,
  input  logic [511:0] up_data_i,
  output logic [8:0] down_o,             // valid kind tag
  output logic [63:0] down_addr_o,
  output logic [14:0] answer_o,          // valid id transaction exclusive dirty error refused
  output logic [511:0] answer_data_o,
  input  logic done_i,
  input  logic [4:0] done_transaction_i
);
  hub_request_t request [2];
  hub_up_t up [2];
  hub_down_t down [2];
  hub_answer_t answer [2];
  hub_done_t done [2];
  localparam int unsigned Cycles = 4;  // of a link
  hub_out_t sent, out_q [Cycles];
  hub_in_t in_q [Cycles];
  always_comb begin
    sent = unit_i;
    sent.request.valid = unit_i.request.valid && unit_take_i;
  end
  always_ff @(posedge clk_i) begin
    for (int i = 0; i < int'(Cycles); i++) begin
      out_q[i] <= i == 0 ? sent : out_q[i-1];
      in_q[i] <= i == 0 ? '{down: down[0], answer: answer[0]} : in_q[i-1];
      if (!rst_ni) out_q[i] <= '0;
      if (!rst_ni) in_q[i] <= '0;
    end
  end
  assign request[0] = out_q[Cycles-1].request;
  assign request[1] = '{valid: request_i, kind: hub_request_e'(request_kind_i), id: request_id_i,
                        line: request_addr_i[63:6]};
  assign up[0] = out_q[Cycles-1].up;
  assign up[1] = '{valid: up_i[5], put: up_i[4], has: up_i[3], keeps: up_i[2], gave: up_i[1], refuses: up_i[0],
                   tag: up_tag_i, line: up_addr_i[63:6], data: up_data_i};
  assign done[0] = out_q[Cycles-1].done;
  assign done[1] = '{valid: done_i, transaction: done_transaction_i};
  assign unit_o = in_q[Cycles-1];
  assign down_o = {down[1].valid, down[1].kind, down[1].tag};
  assign down_addr_o = {down[1].line, 6'd0};
  assign answer_o = {answer[1].valid, answer[1].id, answer[1].transaction, answer[1].exclusive, answer[1].dirty,
                     answer[1].error, answer[1].refused};
  assign answer_data_o = answer[1].data;

  /* verilator lint_off PINCONNECTEMPTY */  // no instruction misses of the unit's
  hub #(.Harts(2), .Requests(16), .Transactions(8), .Victims(16)) u_hub (
    .clk_i, .rst_ni, .present_i(2'b11), .request_i(request), .up_i(up), .down_o(down), .answer_o(answer),
    .done_i(done), .memory_req_o(memory_o), .memory_insn_o(), .memory_ready_i(memory_i.ready),
    .memory_resp_i(memory_i.resp)
  );
  /* verilator lint_on PINCONNECTEMPTY */
endmodule
