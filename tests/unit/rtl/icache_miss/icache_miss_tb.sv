// icache_miss with flat ports; of a line's data the lowest and the highest word.
module icache_miss_tb
  import core_pkg::*;
  import line_pkg::*;
  import icache_pkg::*;
(
  input  logic        clk_i,
  input  logic        rst_ni,
  output logic [31:0] line_bits_o,
  output logic [31:0] page_lines_o,   // lines in a page
  input  logic        invalidate_i,
  input  logic        miss_i,
  input  logic        hit_i,
  input  logic [63:0] line_i,
  input  logic        drop_i,
  output logic        error_o,
  output logic        pending_o,
  output logic        probe_o,
  output logic [63:0] probe_line_o,
  input  logic        probe_hit_i,
  output logic        fill_o,
  output logic        fill_write_o,
  output logic [63:0] fill_line_o,
  output logic [63:0] fill_low_o,
  output logic [63:0] fill_high_o,
  output logic        req_o,
  output logic        req_write_o,
  output logic [4:0]  req_id_o,
  output logic [63:0] req_addr_o,
  input  logic        ready_i,
  input  logic        resp_i,
  input  logic [4:0]  resp_id_i,
  input  logic        resp_error_i,
  input  logic [63:0] resp_low_i,
  input  logic [63:0] resp_high_i
);
  line_req_t req;
  line_resp_t resp;
  line_addr_t probe_line, fill_line;
  logic [LineBits-1:0] data;
  always_comb begin
    resp = '0;
    resp.valid = resp_i;
    resp.id = resp_id_i;
    resp.error = resp_error_i;
    resp.data = {resp_high_i, {LineBits - 128{1'b0}}, resp_low_i};
  end
  icache_miss u_dut (
    .clk_i, .rst_ni, .invalidate_i, .miss_i, .hit_i, .line_i(line_addr_t'(line_i)), .drop_i, .error_o, .pending_o,
    .probe_o, .probe_line_o(probe_line), .probe_hit_i, .fill_o, .fill_write_o, .fill_line_o(fill_line),
    .fill_data_o(data), .req_o(req), .ready_i, .resp_i(resp)
  );
  assign line_bits_o = $bits(line_addr_t);
  assign page_lines_o = 1 << PageLineBits;
  assign probe_line_o = 64'(probe_line);
  assign fill_line_o = 64'(fill_line);
  assign fill_low_o = data[63:0];
  assign fill_high_o = data[LineBits-1 -: 64];
  assign req_o = req.valid;
  assign req_write_o = req.write;
  assign req_id_o = req.id;
  assign req_addr_o = req.addr;
endmodule
