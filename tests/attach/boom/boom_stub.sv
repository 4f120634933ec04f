// The names of BoomCore, Rob and LSU that adapter and stores are bound to, driven from outside: two wide, 64 entries,
// 16 stores.
module Rob (
  input logic       rob_head_vals_0,
  input logic       rob_head_vals_1,
  input logic       will_throw_exception,
  input logic [1:0] rob_state
);
endmodule

module BoomCore (
  input logic        clock, reset,
  input logic        rob_head_vals_0, rob_head_vals_1, will_throw_exception,
  input logic [1:0]  rob_state,
  input logic        rob_io_empty,
  input logic [5:0]  rob_io_rob_head_idx,
  input logic        rob_io_commit_valids_0, rob_io_commit_valids_1,
  input logic [39:0] rob_io_commit_uops_0_debug_pc, rob_io_commit_uops_1_debug_pc,
  input logic [31:0] rob_io_commit_uops_0_debug_inst, rob_io_commit_uops_1_debug_inst,
  input logic        rob_io_commit_uops_0_is_rvc, rob_io_commit_uops_1_is_rvc,
  input logic        rob_io_commit_uops_0_is_br, rob_io_commit_uops_1_is_br,
  input logic        rob_io_commit_uops_0_is_jalr, rob_io_commit_uops_1_is_jalr,
  input logic [1:0]  rob_io_commit_uops_0_debug_fsrc, rob_io_commit_uops_1_debug_fsrc,
  input logic        rob_io_commit_uops_0_flush_on_commit, rob_io_commit_uops_1_flush_on_commit,
  input logic [63:0] rob_io_com_xcpt_bits_cause,
  input logic        io_ifu_redirect_flush,
  input logic        rob_io_enq_valids_0, rob_io_enq_valids_1,
  input logic [39:0] rob_io_enq_uops_0_debug_pc, rob_io_enq_uops_1_debug_pc,
  input logic [5:0]  rob_io_enq_uops_0_rob_idx, rob_io_enq_uops_1_rob_idx,
  input logic [1:0]  csr_io_status_prv,
  input logic [3:0]  csr_io_ptbr_mode,
  input logic [43:0] csr_io_ptbr_ppn
);
  Rob rob (.rob_head_vals_0, .rob_head_vals_1, .will_throw_exception, .rob_state);
endmodule

module LSU (
  input logic        clock, reset,
  input logic        io_dmem_req_valid, io_dmem_req_ready, io_dmem_req_bits_0_valid,
  input logic        io_dmem_req_bits_0_bits_uop_uses_stq,
  input logic [4:0]  io_dmem_req_bits_0_bits_uop_mem_cmd,
  input logic [3:0]  io_dmem_req_bits_0_bits_uop_stq_idx,
  input logic [39:0] io_dmem_req_bits_0_bits_addr,
  input logic [1:0]  io_dmem_req_bits_0_bits_uop_mem_size,
  input logic [63:0] io_dmem_req_bits_0_bits_data,
  input logic        io_dmem_resp_0_valid, io_dmem_resp_0_bits_uop_uses_stq,
  input logic [3:0]  io_dmem_resp_0_bits_uop_stq_idx
);
endmodule
