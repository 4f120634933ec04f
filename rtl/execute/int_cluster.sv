// Integer execution: issue queue, one lane a port, the multiplier and the divider.
//
//   dispatch --> int_queue --RR: read_o, data_i--> int_lane (each) --EX--> write_o, done_o, resolve_o
//                   ^                                 |  operands
//                   |                                 +--> mul --> one write port for both; the multiplier
//                   +--------div_free-----------------+--> div --> cannot wait, the divider can
//
// wake_o: the ALUs' in IS, the multiplier's in EX, two cycles ahead of its result, the divider's with its result.
// done_o has the same order, so that the first BranchPorts are those of resolve_o. Invariant: no division is granted
// while one is under way. CSR instructions and sfence.vma, on port 0, hand over their operands in EX, and complete in
// serial_unit; csr_rdata_i is what a CSR held.
module int_cluster
  import config_pkg::*;
  import instructions_pkg::*;
  import core_pkg::*;
  import port_pkg::*;
  import rename_pkg::*;
  import issue_pkg::*;
  import serial_pkg::*;
(
  input  logic clk_i,
  input  logic rst_ni,
  input  squash_t squash_i,
  // dispatch
  input  lanes_t want_i,
  output lanes_t full_o,
  input  lanes_t fire_i,
  input  int_uop_t uop_i [CoreWidth],
  input  word_t pc_i [CoreWidth],
  input  logic [31:0] imm_i [CoreWidth],
  input  ready_t ready_i,
  // wakes
  input  wake_t wake_i [Wakes],
  output wake_t wake_o [IntWakes],
  // RR
  output rob_ref_t issue_o [IntPorts],   // observers: reads its registers
  output preg_t read_o [2*IntPorts],
  input  word_t data_i [2*IntPorts],
  // EX, port 0: what fetch said of an indirect jump; serial instructions
  output ftq_idx_t jalr_ftq_o,
  input  word_t next_pc_i,
  output serial_operands_t operands_o,
  input  word_t csr_rdata_i,
  // results
  output result_t write_o [IntWriters],
  output rob_ref_t done_o [IntDones],
  output resolve_t resolve_o [BranchPorts]
);
  // ---- IS ----
  logic [IntPorts-1:0] rr_valid;
  int_uop_t rr_uop [IntPorts];
  word_t rr_pc [IntPorts];
  logic [31:0] rr_imm [IntPorts];
  logic div_free, rr_divides;

  int_queue u_int_queue (
    .clk_i, .rst_ni, .squash_i,
    .want_i, .full_o, .fire_i, .uop_i, .pc_i, .imm_i, .ready1_i(ready_i.first), .ready2_i(ready_i.second),
    .wake_i, .wake_o(wake_o[0:IntPorts-1]), .div_free_i(div_free),
    .rr_valid_o(rr_valid), .rr_uop_o(rr_uop), .rr_pc_o(rr_pc), .rr_imm_o(rr_imm), .rr_divides_o(rr_divides)
  );

  // ---- RR, EX ----
  logic [IntPorts-1:0] ex_valid, done;
  int_uop_t ex_uop [IntPorts];
  word_t ex_a [IntPorts], ex_b [IntPorts];

  for (genvar p = 0; p < IntPorts; p++) begin : gen_lane
    resolve_t resolve;
    assign issue_o[p] = '{valid: rr_valid[p], rob: rr_uop[p].rob};
    assign read_o[2*p] = rr_uop[p].ps1;
    assign read_o[2*p+1] = rr_uop[p].ps2;

    int_lane #(.HasBranch(p < BranchPorts), .HasCsr(p == 0)) u_int_lane (
      .clk_i, .rst_ni, .squash_i,
      .rr_valid_i(rr_valid[p]), .rr_uop_i(rr_uop[p]), .rr_pc_i(rr_pc[p]), .rr_imm_i(rr_imm[p]),
      .rr_data1_i(data_i[2*p]), .rr_data2_i(data_i[2*p+1]),
      .ex_valid_o(ex_valid[p]), .ex_uop_o(ex_uop[p]), .ex_a_o(ex_a[p]), .ex_b_o(ex_b[p]),
      .next_pc_i, .csr_rdata_i,
      .result_o(write_o[p]), .done_valid_o(done[p]), .resolve_o(resolve)
    );
    assign done_o[p] = '{valid: done[p], rob: ex_uop[p].rob};
    if (p < BranchPorts) begin : gen_branch
      assign resolve_o[p] = resolve;
    end else begin : gen_no_branch
      resolve_t unused_resolve;
      assign unused_resolve = resolve;
    end
  end
  assign jalr_ftq_o = ex_uop[0].ftq;
  assign operands_o = '{valid: ex_valid[0] && in_serial_unit(ex_uop[0].unit), rs1: ex_a[0], rs2: ex_b[0]};

  // ---- multiplier and divider share a write port ----
  result_t mul_result, div_result;
  logic div_start, div_busy, div_next, div_ex_q;

  mul u_mul (
    .clk_i, .rst_ni, .squash_i,
    .valid_i(ex_valid[MulPort] && ex_uop[MulPort].unit == UNIT_MUL), .uop_i(ex_uop[MulPort]),
    .a_i(ex_a[MulPort]), .b_i(ex_b[MulPort]),
    .wake_valid_o(wake_o[IntPorts].valid), .wake_tag_o(wake_o[IntPorts].tag),
    .result_o(mul_result), .done_valid_o(done_o[IntPorts].valid), .done_rob_o(done_o[IntPorts].rob)
  );

  assign div_start = ex_valid[DivPort] && ex_uop[DivPort].unit == UNIT_DIV;
  // One in RR or EX counts even if a squash kills it there: grants do not wait for the squash.
  assign div_next = rr_divides;
  always_ff @(posedge clk_i) div_ex_q <= rst_ni && div_next;
  assign div_free = !div_busy && !div_ex_q && !div_next;

  div u_div (
    .clk_i, .rst_ni, .squash_i,
    .valid_i(div_start), .uop_i(ex_uop[DivPort]), .a_i(ex_a[DivPort]), .b_i(ex_b[DivPort]), .busy_o(div_busy),
    .write_ready_i(!mul_result.valid), .result_o(div_result),
    .done_valid_o(done_o[IntPorts+1].valid), .done_rob_o(done_o[IntPorts+1].rob)
  );
  assign wake_o[IntPorts+1] = '{valid: div_result.valid, tag: div_result.pd};
  assign write_o[IntPorts] = mul_result.valid ? mul_result : div_result;
endmodule
