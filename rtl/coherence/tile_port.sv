// A tile's port to the hub: requests of its data cache and of its instruction cache, one a cycle in turn, and their
// answers. Without harts.coherent wires, from and to memory.
//
// The two have one request of a line open at a time, the data cache's until its `done`: the hub does not snoop who
// asks, and an instruction miss that passed a request of the same tile that brings dirty data would get memory's old
// line. An instruction miss is open from its look into the data cache on (insn_peek) until the instruction cache has
// its answer.
`include "assert.svh"

module tile_port
  import config_pkg::*;
  import line_pkg::*;
  import hub_pkg::*;
(
  /* verilator lint_off UNUSEDSIGNAL */  // wires
  input  logic clk_i,
  input  logic rst_ni,
  // the core; with harts.coherent core_o.data.ready takes core_hub_i's request
  input  memory_out_t core_i,
  input  hub_out_t core_hub_i,
  output memory_in_t core_o,
  output hub_in_t core_hub_o,
  // outside
  output memory_out_t memory_o,
  output hub_out_t hub_o,
  input  memory_in_t memory_i,
  input  hub_in_t hub_i,
  /* verilator lint_on UNUSEDSIGNAL */
  output profile_pkg::coherence_t coherence_o  // of the messages in this cycle, for the counters
);
  if (HartsCoherent != 0) begin : gen_hub
    localparam int unsigned Insns = 4;    // of rtl/fetch/icache_miss.sv at once; their numbers follow the data cache's
    typedef logic [$clog2(DcMshrs+Insns)-1:0] number_t;
    typedef logic [$clog2(MostTransactions)-1:0] transaction_t;
    line_t line_q [DcMshrs + Insns], held_line_q [MostTransactions];
    logic [DcMshrs+Insns-1:0] open_q;
    logic [MostTransactions-1:0] held_q;  // answered, not done

    // ---- requests ----
    hub_down_t peek;
    hub_request_t insn_ask;
    line_resp_t insn_resp, insn_answered;
    line_t insn_line;
    number_t insn_number;
    logic insn_may, data_may, insn_take, insn_send, data_take, insn_first_q, own_answer, data_answer;
    assign insn_line = core_i.insn.addr[63:6];
    assign insn_number = number_t'(DcMshrs + 32'(core_i.insn.id));
    always_comb begin
      insn_may = !(core_hub_i.request.valid && core_hub_i.request.line == insn_line);
      data_may = core_hub_i.request.valid;
      for (int i = 0; i < int'(DcMshrs + Insns); i++)
        if (open_q[i]) begin
          if (line_q[i] == insn_line) insn_may = 1'b0;  // a second instruction miss, too: fence.i lets it come
          if (i >= int'(DcMshrs) && line_q[i] == core_hub_i.request.line) data_may = 1'b0;
        end
      for (int t = 0; t < int'(MostTransactions); t++)
        if (held_q[t] && held_line_q[t] == insn_line) insn_may = 1'b0;
    end
    insn_peek u_insn_peek (
      .clk_i, .rst_ni, .req_i(core_i.insn), .may_i(insn_may), .take_o(insn_take),
      .peek_o(peek), .peek_take_i(!hub_i.down.valid), .up_i(core_hub_i.up), .own_o(own_answer),
      .ask_o(insn_ask), .ask_take_i(insn_send), .answer_i(insn_answered), .resp_o(insn_resp)
    );
    assign insn_send = insn_ask.valid && (insn_first_q || !data_may);
    assign data_take = data_may && !insn_send;
    always_comb begin
      hub_o = core_hub_i;
      hub_o.up.valid = core_hub_i.up.valid && !own_answer;
      hub_o.request.valid = insn_send || data_take;
      if (insn_send) begin
        hub_o.request = insn_ask;
        hub_o.request.id = tag_t'(DcMshrs) + insn_ask.id;
      end
    end

    // ---- answers ----
    number_t asked, answered;
    transaction_t transaction, ended;
    assign asked = number_t'(hub_o.request.id);
    assign answered = number_t'(hub_i.answer.id);
    assign transaction = transaction_t'(hub_i.answer.transaction);
    assign ended = transaction_t'(core_hub_i.done.transaction);
    assign data_answer = hub_i.answer.valid && 32'(hub_i.answer.id) < DcMshrs;
    assign insn_answered = '{
      valid: hub_i.answer.valid && !data_answer, id: hub_i.answer.id - tag_t'(DcMshrs),
      llc_miss: hub_i.answer.llc_miss, error: hub_i.answer.error, data: hub_i.answer.data
    };
    always_comb begin
      core_hub_o = hub_i;
      core_hub_o.answer.valid = data_answer;
      if (!hub_i.down.valid) core_hub_o.down = peek;
      core_o = '{device: memory_i.device, default: '0};
      core_o.data.ready = data_take;
      core_o.insn.ready = insn_take;
      core_o.insn.resp = insn_resp;
      memory_o = '{device: core_i.device, default: '0};
    end

    always_ff @(posedge clk_i)
      if (!rst_ni) begin
        open_q <= '0;
        held_q <= '0;
        insn_first_q <= 1'b0;
      end else begin
        insn_first_q <= data_take;
        if (data_answer) begin
          open_q[answered] <= 1'b0;
          if (!hub_i.answer.error && !hub_i.answer.refused) held_q[transaction] <= 1'b1;
        end
        if (core_hub_i.done.valid) held_q[ended] <= 1'b0;
        if (insn_resp.valid) open_q[number_t'(DcMshrs + 32'(insn_resp.id))] <= 1'b0;
        if (data_take) open_q[asked] <= 1'b1;
        if (insn_take) open_q[insn_number] <= 1'b1;
      end
    always_ff @(posedge clk_i) begin
      if (data_take) line_q[asked] <= hub_o.request.line;
      if (insn_take) line_q[insn_number] <= insn_line;
      if (hub_i.answer.valid) held_line_q[transaction] <= line_q[answered];
    end

    // ---- what counters see ----
    logic [DcMshrs+Insns-1:0] waits_q;    // asked for, and not as a prefetch; not answered
    always_ff @(posedge clk_i)
      if (!rst_ni) waits_q <= '0;
      else begin
        if (hub_i.answer.valid) waits_q[answered] <= 1'b0;
        if (hub_o.request.valid) waits_q[asked] <= hub_o.request.kind != HUB_TRYGET;
      end
    logic acks;
    assign acks = hub_o.up.valid && !hub_o.up.put;
    assign coherence_o = '{
      snoop: hub_i.down.valid && hub_i.down.kind != HUB_PUT_ACK,
      snoop_hit: acks && (hub_o.up.has || hub_o.up.keeps || hub_o.up.gave || hub_o.up.refuses),
      line_lost: acks && hub_o.up.gave && !hub_o.up.keeps,
      refused: hub_i.answer.valid && hub_i.answer.refused, waits: waits_q != '0, default: '0
    };

    // One data request at most goes before an instruction miss that has looked into the data cache.
    wait_bound #(.Most(4)) u_insn (.clk_i, .rst_ni, .wants_i(insn_ask.valid && !insn_send), .counts_i(1'b1));
    `ASSERT(NumberFree, !(data_take && open_q[asked]) && !(insn_take && open_q[insn_number]))
    `ASSERT(AnswerExpected, !hub_i.answer.valid || open_q[answered])
    `ASSERT(DoneIsHeld, !core_hub_i.done.valid || held_q[ended])
  end else begin : gen_wires
    assign memory_o = core_i;
    assign core_o = memory_i;
    assign hub_o = '0;
    assign core_hub_o = '0;
    assign coherence_o = '0;
  end
endmodule
