// Floating point: issue queue, ports, and the exception flags until commit. Empty without F and D (HasFp).
//
//   dispatch --> fp_queue --RR: read_o, data_i--> fp_lane (each) --> write_o, done_o, wake_o
//                   ^                                  |
//                   +--div_free (lane 0 divides)-------+--> flags --> fp_flags --commit--> effect_o
//
// Results of lane p: index 2p for f registers, 2p+1 for x registers; the wake after those is a division's, which comes
// with its result instead of ahead of it. Latencies: fp_lane.
module fp_cluster
  import config_pkg::*;
  import core_pkg::*;
  import fp_pkg::*;
  import port_pkg::*;
  import decode_pkg::*;
  import rename_pkg::*;
  import issue_pkg::*;
  import csr_effect_pkg::*;
#(
  localparam int unsigned Results = 2 * FpArrays
) (
  /* verilator lint_off UNUSEDSIGNAL */  // without F and D
  input  logic clk_i,
  input  logic rst_ni,
  input  squash_t squash_i,
  // dispatch
  input  lanes_t want_i,
  output lanes_t full_o,
  input  lanes_t fire_i,
  input  fp_uop_t uop_i [CoreWidth],
  input  ready_t ready_i,
  // wakes
  input  wake_t wake_i [Wakes],
  output wake_t wake_o [Results+1],
  // RR
  output rob_ref_t issue_o [FpArrays],   // observers: reads its registers
  output preg_t read_o [3*FpArrays],
  input  word_t data_i [3*FpArrays],
  input  logic [2:0] frm_i,
  // results
  output result_t write_o [Results],
  output rob_ref_t done_o [Results],
  // commit, in age order from head_i on
  input  rob_idx_t head_i,
  input  retire_t retire_i [CoreWidth],
  /* verilator lint_on UNUSEDSIGNAL */
  output fp_effect_t effect_o
);
  if (HasFp) begin : gen_fp
    logic [FpArrays-1:0] rr_valid;
    fp_uop_t rr_uop [FpArrays];
    /* verilator lint_off UNUSEDSIGNAL */  // lane 0 has the divider
    logic [FpArrays-1:0] div_free, late;
    /* verilator lint_on UNUSEDSIGNAL */

    fp_queue u_fp_queue (
      .clk_i, .rst_ni, .squash_i,
      .want_i, .full_o, .fire_i, .uop_i,
      .ready1_i(ready_i.first), .ready2_i(ready_i.second), .ready3_i(ready_i.third),
      .wake_i, .div_free_i(div_free[0]),
      .rr_valid_o(rr_valid), .rr_uop_o(rr_uop)
    );

    logic [Results-1:0] done;
    rob_idx_t done_rob [Results];
    fp_flags_t done_flags [Results];

    for (genvar p = 0; p < FpArrays; p++) begin : gen_lane
      assign issue_o[p] = '{valid: rr_valid[p], rob: rr_uop[p].rob};
      assign read_o[3*p] = rr_uop[p].ps1;
      assign read_o[3*p+1] = rr_uop[p].ps2;
      assign read_o[3*p+2] = rr_uop[p].ps3;

      fp_lane #(.HasDiv(p == 0)) u_fp_lane (
        .clk_i, .rst_ni, .squash_i,
        .rr_valid_i(rr_valid[p]), .rr_uop_i(rr_uop[p]),
        .rr_data1_i(data_i[3*p]), .rr_data2_i(data_i[3*p+1]), .rr_data3_i(data_i[3*p+2]),
        .frm_i, .div_free_o(div_free[p]),
        .f_result_o(write_o[2*p]), .f_done_o(done[2*p]), .f_rob_o(done_rob[2*p]), .f_flags_o(done_flags[2*p]),
        .f_wake_o(wake_o[2*p].valid), .f_wake_tag_o(wake_o[2*p].tag),
        .x_wake_o(wake_o[2*p+1].valid), .x_wake_tag_o(wake_o[2*p+1].tag),
        .late_wake_o(late[p]),
        .x_result_o(write_o[2*p+1]), .x_done_o(done[2*p+1]), .x_rob_o(done_rob[2*p+1]), .x_flags_o(done_flags[2*p+1])
      );
    end
    assign wake_o[Results] = '{valid: late[0], tag: write_o[0].pd};

    for (genvar d = 0; d < Results; d++) begin : gen_done
      assign done_o[d] = '{valid: done[d], rob: done_rob[d]};
    end

    // ---- flags ----
    lanes_t com_fp, com_pd_valid;
    areg_t com_rd [CoreWidth];
    for (genvar i = 0; i < CoreWidth; i++) begin : gen_retire
      assign com_fp[i] = retire_i[i].is_fp;
      assign com_pd_valid[i] = retire_i[i].pd_valid;
      assign com_rd[i] = retire_i[i].rd;
    end

    fp_flags u_fp_flags (
      .clk_i,
      .done_i(done), .done_rob_i(done_rob), .flags_i(done_flags),
      .head_i, .com_fp_i(com_fp), .com_pd_valid_i(com_pd_valid), .com_rd_i(com_rd),
      .accrue_o(effect_o.flags), .dirty_o(effect_o.dirty)
    );
  end else begin : gen_no_fp
    assign full_o = '0;
    assign wake_o = '{default: '0};
    assign issue_o = '{default: '0};
    assign read_o = '{default: '0};
    assign write_o = '{default: '0};
    assign done_o = '{default: '0};
    assign effect_o = '0;
  end
endmodule
