// tile_port with flat ports; of a line's data the lowest word.
module tile_port_tb
  import config_pkg::*;
  import line_pkg::*;
  import hub_pkg::*;
(
  input  logic clk_i,
  input  logic rst_ni,
  output int mshrs_o,
  // the data cache
  input  logic data_i,
  input  logic [1:0] data_kind_i,
  input  logic [4:0] data_id_i,
  input  logic [57:0] data_line_i,
  output logic data_take_o,
  output logic data_answer_o,
  output logic [4:0] data_answer_id_o,
  output logic down_o,
  output logic [2:0] down_kind_o,
  output logic [4:0] down_tag_o,
  output logic [57:0] down_line_o,
  input  logic up_i,
  input  logic up_put_i,
  input  logic [4:0] up_tag_i,
  input  logic [57:0] up_line_i,
  input  logic up_has_i,
  input  logic [63:0] up_data_i,
  input  logic done_i,
  input  logic [4:0] done_transaction_i,
  // the instruction cache
  input  logic insn_i,
  input  logic [4:0] insn_id_i,
  input  logic [57:0] insn_line_i,
  output logic insn_take_o,
  output logic insn_answer_o,
  output logic [4:0] insn_answer_id_o,
  output logic insn_error_o,
  output logic [63:0] insn_data_o,
  // the hub
  output logic request_o,
  output logic [1:0] request_kind_o,
  output logic [4:0] request_id_o,
  output logic [57:0] request_line_o,
  output logic hub_up_o,
  output logic hub_up_put_o,
  output logic [4:0] hub_up_tag_o,
  output logic hub_done_o,
  input  logic hub_down_i,
  input  logic [2:0] hub_down_kind_i,
  input  logic [4:0] hub_down_tag_i,
  input  logic [57:0] hub_down_line_i,
  input  logic answer_i,
  input  logic [4:0] answer_id_i,
  input  logic [4:0] answer_transaction_i,
  input  logic answer_error_i,
  input  logic answer_refused_i,
  input  logic [63:0] answer_data_i,
  // what counters see
  input  logic [2:0] up_flags_i,         // keeps, gave, refuses
  output logic snoop_o, snoop_hit_o, line_lost_o, refused_o, waits_o
);
  assign mshrs_o = DcMshrs;

  memory_out_t core_out, memory_out;
  memory_in_t core_in;
  profile_pkg::coherence_t coherence;
  hub_out_t core_hub_out, hub_out;
  hub_in_t core_hub_in;
  always_comb begin
    core_out = '0;
    core_out.insn.valid = insn_i;
    core_out.insn.id = insn_id_i;
    core_out.insn.addr = {insn_line_i, 6'd0};
    core_hub_out = '0;
    core_hub_out.request = '{valid: data_i, kind: hub_request_e'(data_kind_i), id: data_id_i, line: data_line_i};
    core_hub_out.up = '{valid: up_i, put: up_put_i, tag: up_tag_i, line: up_line_i, has: up_has_i,
                        keeps: up_flags_i[0], gave: up_flags_i[1], refuses: up_flags_i[2],
                        data: LineBits'(up_data_i)};
    core_hub_out.done = '{valid: done_i, transaction: done_transaction_i};
  end

  tile_port u_dut (
    .clk_i, .rst_ni, .core_i(core_out), .core_hub_i(core_hub_out), .core_o(core_in), .core_hub_o(core_hub_in),
    .memory_o(memory_out), .hub_o(hub_out), .memory_i('0),
    .hub_i('{
      down: '{valid: hub_down_i, kind: hub_down_e'(hub_down_kind_i), tag: hub_down_tag_i, line: hub_down_line_i},
      answer: '{valid: answer_i, id: answer_id_i, transaction: answer_transaction_i, error: answer_error_i,
                refused: answer_refused_i, data: LineBits'(answer_data_i), default: '0}
    }),
    .coherence_o(coherence)
  );
  assign {snoop_o, snoop_hit_o, line_lost_o, refused_o, waits_o} =
      {coherence.snoop, coherence.snoop_hit, coherence.line_lost, coherence.refused, coherence.waits};
  assign data_take_o = core_in.data.ready;
  assign {data_answer_o, data_answer_id_o} = {core_hub_in.answer.valid, core_hub_in.answer.id};
  assign {down_o, down_kind_o, down_tag_o, down_line_o} = core_hub_in.down;
  assign insn_take_o = core_in.insn.ready;
  assign {insn_answer_o, insn_answer_id_o, insn_error_o, insn_data_o} =
      {core_in.insn.resp.valid, core_in.insn.resp.id, core_in.insn.resp.error, core_in.insn.resp.data[63:0]};
  assign {request_o, request_kind_o, request_id_o, request_line_o} = hub_out.request;
  assign {hub_up_o, hub_up_put_o, hub_up_tag_o} = {hub_out.up.valid, hub_out.up.put, hub_out.up.tag};
  assign hub_done_o = hub_out.done.valid;
endmodule
