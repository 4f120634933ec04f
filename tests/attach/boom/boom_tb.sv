// The stub with vectors a field, and the fields of the bundle that the adapter makes of them; the stub's LSU, and the
// host at a serial port.
module boom_tb
  import records_pkg::*;
(
  input  logic        clk_i, rst_ni,
  input  logic [1:0]  head_i, commit_i, rvc_i, br_i, jalr_i, exec_i, flush_i, enter_i,
  input  logic        empty_i, throw_i, redirect_i,
  input  logic [1:0]  state_i,
  input  logic [63:0] cause_i,
  input  logic [79:0] pc_i, enter_pc_i,
  input  logic [63:0] insn_i,
  output logic [1:0]  valid_o, commit_o, mispredict_o, flush_o, dispatch_o,
  output logic        oldest_o, rob_empty_o, exception_o, interrupt_o, replay_o,
  output logic [63:0] exception_pc_o, dispatch_pc_o, pc1_o,
  output logic [31:0] insn0_o,
  output logic [8:0]  exception_psv_o,
  output logic [43:0] space_o,
  // the data cache: a request, whether it is taken, an answer
  input  logic        ask_i, ready_i, ask_store_i, answer_i, answer_store_i,
  input  logic [4:0]  kind_i,
  input  logic [3:0]  index_i, answer_index_i,
  input  logic [39:0] addr_i,
  input  logic [1:0]  size_i,
  input  logic [63:0] data_i,
  // the host
  input  logic        host_i, in_ready_i, out_valid_i,
  input  logic [31:0] out_bits_i,
  output logic        in_valid_o,
  output logic [31:0] in_bits_o
);
  LSU lsu (
    .clock(clk_i), .reset(!rst_ni), .io_dmem_req_valid(ask_i), .io_dmem_req_ready(ready_i),
    .io_dmem_req_bits_0_valid(1'b1), .io_dmem_req_bits_0_bits_uop_uses_stq(ask_store_i),
    .io_dmem_req_bits_0_bits_uop_mem_cmd(kind_i), .io_dmem_req_bits_0_bits_uop_stq_idx(index_i),
    .io_dmem_req_bits_0_bits_addr(addr_i), .io_dmem_req_bits_0_bits_uop_mem_size(size_i),
    .io_dmem_req_bits_0_bits_data(data_i), .io_dmem_resp_0_valid(answer_i),
    .io_dmem_resp_0_bits_uop_uses_stq(answer_store_i), .io_dmem_resp_0_bits_uop_stq_idx(answer_index_i)
  );
  boom_host u_host (
    .clk_i(clk_i), .rst_ni(rst_ni), .host_i(host_i),
    .emitted_i(lsu.u_tipoff_stores.emitted_o), .store_i(lsu.u_tipoff_stores.store_o), .in_valid_o(in_valid_o),
    .in_ready_i(in_ready_i), .in_bits_o(in_bits_o), .out_valid_i(out_valid_i), .out_bits_i(out_bits_i)
  );
  BoomCore core (
    .clock(clk_i), .reset(!rst_ni), .rob_head_vals_0(head_i[0]), .rob_head_vals_1(head_i[1]),
    .will_throw_exception(throw_i), .rob_state(state_i), .rob_io_empty(empty_i), .rob_io_rob_head_idx('0),
    .rob_io_commit_valids_0(commit_i[0]), .rob_io_commit_valids_1(commit_i[1]),
    .rob_io_commit_uops_0_debug_pc(pc_i[39:0]), .rob_io_commit_uops_1_debug_pc(pc_i[79:40]),
    .rob_io_commit_uops_0_debug_inst(insn_i[31:0]), .rob_io_commit_uops_1_debug_inst(insn_i[63:32]),
    .rob_io_commit_uops_0_is_rvc(rvc_i[0]), .rob_io_commit_uops_1_is_rvc(rvc_i[1]),
    .rob_io_commit_uops_0_is_br(br_i[0]), .rob_io_commit_uops_1_is_br(br_i[1]),
    .rob_io_commit_uops_0_is_jalr(jalr_i[0]), .rob_io_commit_uops_1_is_jalr(jalr_i[1]),
    .rob_io_commit_uops_0_debug_fsrc({2{exec_i[0]}}), .rob_io_commit_uops_1_debug_fsrc({2{exec_i[1]}}),
    .rob_io_commit_uops_0_flush_on_commit(flush_i[0]), .rob_io_commit_uops_1_flush_on_commit(flush_i[1]),
    .rob_io_com_xcpt_bits_cause(cause_i), .io_ifu_redirect_flush(redirect_i),
    .rob_io_enq_valids_0(enter_i[0]), .rob_io_enq_valids_1(enter_i[1]),
    .rob_io_enq_uops_0_debug_pc(enter_pc_i[39:0]), .rob_io_enq_uops_1_debug_pc(enter_pc_i[79:40]),
    .rob_io_enq_uops_0_rob_idx('0), .rob_io_enq_uops_1_rob_idx(6'd1),
    .csr_io_status_prv(2'd1), .csr_io_ptbr_mode(4'd8), .csr_io_ptbr_ppn(44'h12345)
  );
  commit_bundle_t bundle;
  assign bundle = core.u_tipoff_adapter.bundle_o;
  assign {valid_o, commit_o, mispredict_o, flush_o} = {bundle.valid, bundle.commit, bundle.mispredict, bundle.flush};
  assign {dispatch_o, dispatch_pc_o} = {bundle.dispatch_valid, bundle.dispatch_pc[0]};
  assign {oldest_o, rob_empty_o, exception_o, interrupt_o, replay_o} =
      {bundle.oldest, bundle.rob_empty, bundle.exception, bundle.interrupt, bundle.replay};
  assign {exception_pc_o, pc1_o, insn0_o, exception_psv_o, space_o} =
      {bundle.exception_pc, bundle.pc[1], bundle.insn[0], bundle.exception_psv, bundle.space};
endmodule
