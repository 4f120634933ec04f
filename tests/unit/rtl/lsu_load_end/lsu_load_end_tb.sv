// lsu_load_end with flat ports.
module lsu_load_end_tb
  import config_pkg::*;
  import core_pkg::*;
  import dcache_pkg::*;
  import lsu_pkg::*;
(
  input  logic        load_i,
  input  logic        device_end_i,
  input  logic        exception_i,
  input  logic [5:0]  cause_i,
  input  logic        device_i,
  input  logic [63:0] addr_i,
  input  logic [7:0]  rob_i,
  input  logic [7:0]  pd_i,
  input  logic        pd_valid_i,
  input  logic [1:0]  size_i,
  input  logic        uns_i,
  input  logic        box_i,
  input  logic        hint_i,
  input  logic        mapped_i,
  input  logic [26:0] vpn_i,
  input  logic [7:0]  lq_i,
  input  logic        sq_full_i,
  input  logic        sq_part_i,
  input  logic [7:0]  sq_i,
  input  logic [63:0] sq_word_i,
  input  logic        hit_i,
  input  logic [63:0] cache_word_i,
  input  logic        miss_join_i,
  input  logic [7:0]  miss_id_i,
  input  logic        miss_full_i,
  input  logic [63:0] dev_data_i,
  output logic        result_valid_o,
  output logic [2:0]  result_o,
  output logic [7:0]  result_lq_o,
  output logic [7:0]  result_mshr_o,
  output logic        result_fwd_o,
  output logic [7:0]  result_sq_o,
  output logic        result_missed_o,
  output logic        done_o,
  output logic [7:0]  done_rob_o,
  output logic [7:0]  done_pd_o,
  output logic        done_pd_valid_o,
  output logic [63:0] done_data_o,
  output logic        done_exception_o,
  output logic [5:0]  done_cause_o,
  output logic [63:0] done_tval_o,
  output logic [31:0] bits_o           // of an index of: ROB, load queue, store queue, MSHRs, registers; 4 bits each
);
  load_info_t info;
  load_result_t result;
  mem_done_t done;
  assign info = '{rob: rob_idx_t'(rob_i), lq: lq_idx_t'(lq_i), sq: '0, pd: preg_t'(pd_i), pd_valid: pd_valid_i,
                  size: size_i, uns: uns_i, box: box_i, hint: hint_i, owns: 1'b0, mapped: mapped_i, vpn: vpn_i};
  lsu_load_end u_dut (
    .load_i, .device_end_i, .exception_i, .cause_i, .device_i, .addr_i, .info_i(info), .sq_full_i, .sq_part_i,
    .sq_i(sq_idx_t'(sq_i)), .sq_word_i, .hit_i, .cache_word_i, .miss_join_i, .miss_id_i(mshr_t'(miss_id_i)),
    .miss_full_i, .dev_data_i, .result_o(result), .done_o(done)
  );
  assign result_valid_o = result.valid;
  assign result_o = result.result;
  assign result_lq_o = 8'(result.lq);
  assign result_mshr_o = 8'(result.mshr);
  assign result_fwd_o = result.fwd;
  assign result_sq_o = 8'(result.sq);
  assign result_missed_o = result.missed;
  assign done_o = done.valid;
  assign done_rob_o = 8'(done.rob);
  assign done_pd_o = 8'(done.pd);
  assign done_pd_valid_o = done.pd_valid;
  assign done_data_o = done.data;
  assign done_exception_o = done.exception;
  assign done_cause_o = done.cause;
  assign done_tval_o = done.tval;
  assign bits_o = 32'({4'($bits(preg_t)), 4'($bits(mshr_t)), 4'($bits(sq_idx_t)), 4'($bits(lq_idx_t)),
                       4'($bits(rob_idx_t))});
endmodule
