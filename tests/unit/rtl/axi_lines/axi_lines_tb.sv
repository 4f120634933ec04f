// axi_lines, the bench's memory behind AXI4, and 16 lines after that, each of one word eight times.
module axi_lines_tb
  import core_pkg::*;
  import line_pkg::*;
  import bus_pkg::*;
(
  input  logic        clk_i,
  input  logic        rst_ni,
  // ports 0 (instructions) and 1 (data)
  input  logic [1:0]  valid_i,
  input  logic        write_i,
  input  logic [4:0]  id_i [2],
  input  logic [3:0]  line_i [2],
  input  logic [63:0] word_i,
  output logic [1:0]  ready_o,
  output logic [1:0]  resp_o,
  output logic [1:0]  resp_error_o,
  output logic [4:0]  resp_id_o [2],
  output logic [63:0] resp_word_o [2],
  output logic [1:0]  torn_o,          // the words of a line differ
  output logic        held_o,          // a read waits for a write of its line
  output logic        read_error_o,
  output logic        read_error_insn_o,
  output logic [3:0]  read_error_line_o,
  output logic        write_error_o,
  output logic [3:0]  write_error_line_o
);
  line_req_t req [2], memory_req [2];
  line_resp_t resp [2], memory_resp [2];
  axi_req_t axi_req;
  axi_resp_t axi_resp;
  for (genvar p = 0; p < 2; p++) begin : gen_port
    assign req[p] = '{valid: valid_i[p], write: p == 1 && write_i, id: id_i[p], addr: {54'd1, line_i[p], 6'd0},
                      data: {8{word_i}}};
    assign resp_o[p] = resp[p].valid;
    assign resp_id_o[p] = resp[p].id;
    assign resp_error_o[p] = resp[p].error;
    assign resp_word_o[p] = resp[p].data[63:0];
    assign torn_o[p] = resp[p].data != {8{resp[p].data[63:0]}};
  end

  localparam logic [57:0] BadLine = {54'd1, 4'd5};
  /* verilator lint_off UNUSEDSIGNAL */  // lines by their last bits
  bus_error_t read_error, write_error;
  /* verilator lint_on UNUSEDSIGNAL */
  assign read_error_o = read_error.valid;
  assign read_error_insn_o = read_error.insn;
  assign read_error_line_o = read_error.addr[9:6];
  assign write_error_o = write_error.valid;
  assign write_error_line_o = write_error.addr[9:6];

  axi_lines u_dut (
    .clk_i, .rst_ni, .imem_req_i(req[0]), .imem_ready_o(ready_o[0]), .imem_resp_o(resp[0]),
    .dmem_req_i(req[1]), .dmem_ready_o(ready_o[1]), .dmem_resp_o(resp[1]), .axi_req_o(axi_req), .axi_resp_i(axi_resp),
    .read_error_o(read_error), .write_error_o(write_error)
  );
  axi_memory #(.BadLine(BadLine)) u_memory (
    .clk_i, .rst_ni, .axi_req_i(axi_req), .axi_resp_o(axi_resp),
    .imem_req_o(memory_req[0]), .imem_ready_i(1'b1), .imem_resp_i(memory_resp[0]),
    .dmem_req_o(memory_req[1]), .dmem_ready_i(1'b1), .dmem_resp_i(memory_resp[1])
  );
  axi_rules u_rules (.clk_i, .rst_ni, .req_i(axi_req), .resp_i(axi_resp));

  always_comb begin
    held_o = 1'b0;
    for (int i = 0; i < 8; i++) if (u_dut.unasked_q[i] && u_dut.behind_q[i] != '0) held_o = 1'b1;
  end

  // ---- the lines ----
  logic [63:0] word_q [16];
  always_ff @(posedge clk_i) begin
    for (int p = 0; p < 2; p++) begin
      memory_resp[p].valid <= rst_ni && memory_req[p].valid && !memory_req[p].write;
      memory_resp[p].id <= memory_req[p].id;
      memory_resp[p].llc_miss <= 1'b0;
      memory_resp[p].error <= 1'b0;
      memory_resp[p].data <= {8{word_q[memory_req[p].addr[9:6]]}};
    end
    if (!rst_ni) for (int i = 0; i < 16; i++) word_q[i] <= '0;
    else if (memory_req[1].valid && memory_req[1].write) word_q[memory_req[1].addr[9:6]] <= memory_req[1].data[63:0];
  end
endmodule
