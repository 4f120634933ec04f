// mshr_file with flat ports; of a line's data the lowest and the highest word.
module mshr_file_tb
  import config_pkg::*;
  import core_pkg::*;
  import line_pkg::*;
  import lsu_pkg::*;
(
  input  logic        clk_i,
  input  logic        rst_ni,
  output logic [31:0] ports_o,
  output logic [31:0] entries_o,
  output logic [31:0] sets_o,
  output logic [31:0] line_bits_o,
  output logic [31:0] leaving_o,
  input  logic [1:0]  miss_i,
  input  logic [1:0]  spare_i,
  input  logic [63:0] line_i [2],
  input  logic [7:0]  leaves_i [2],
  input  logic [7:0]  gone_i,
  output logic [1:0]  join_o,
  output logic [7:0]  id_o [2],
  output logic        full_o,
  output logic        req_valid_o,
  output logic [7:0]  req_id_o,
  output logic [63:0] req_line_o,
  input  logic        req_take_i,
  input  logic        resp_i,
  input  logic [7:0]  resp_id_i,
  input  logic        resp_llc_i,
  input  logic [63:0] resp_low_i,
  input  logic [63:0] resp_high_i,
  input  logic        room_i,
  output logic        next_o,
  output logic [15:0] next_set_o,
  output logic        refill_o,
  output logic [7:0]  refill_id_o,
  output logic [63:0] refill_line_o,
  output logic        refill_llc_o,
  output logic [63:0] refill_low_o,
  output logic [63:0] refill_high_o
);
  line_t line [MemPorts], req_line;
  wb_vec_t leaves [MemPorts];
  mshr_t id [MemPorts], req_id;
  refill_t refill;
  logic [MemPorts-1:0] joined;
  line_resp_t resp;
  dc_set_t set;
  logic [LineBits-1:0] data;
  for (genvar p = 0; p < 2; p++) begin : gen_port
    if (p < MemPorts) begin : gen_there
      assign line[p] = line_t'(line_i[p]);
      assign leaves[p] = leaves_i[p][WbEntries-1:0];
      assign id_o[p] = 8'(id[p]);
    end else begin : gen_none
      assign id_o[p] = '0;
    end
  end
  always_comb begin
    resp = '0;
    resp.valid = resp_i;
    resp.id = 5'(resp_id_i);
    resp.llc_miss = resp_llc_i;
    resp.data = {resp_high_i, {LineBits - 128{1'b0}}, resp_low_i};
  end
  mshr_file u_dut (
    .clk_i, .rst_ni, .miss_i(miss_i[MemPorts-1:0]), .spare_i(spare_i[MemPorts-1:0]), .line_i(line),
    .leaves_i(leaves), .gone_i(gone_i[WbEntries-1:0]), .join_o(joined),
    .id_o(id), .full_o, .req_valid_o, .req_id_o(req_id), .req_line_o(req_line), .req_take_i, .resp_i(resp),
    .refill_room_i(room_i), .refill_next_o(next_o), .refill_next_set_o(set), .refill_o(refill), .refill_data_o(data)
  );
  assign ports_o = MemPorts;
  assign entries_o = DcMshrs;
  assign sets_o = DcSets;
  assign leaving_o = WbEntries;
  assign line_bits_o = $bits(line_t);
  assign join_o = 2'(joined);
  assign req_id_o = 8'(req_id);
  assign req_line_o = 64'(req_line);
  assign next_set_o = 16'(set);
  assign refill_o = refill.valid;
  assign refill_id_o = 8'(refill.id);
  assign refill_line_o = 64'(refill.line);
  assign refill_llc_o = refill.llc;
  assign refill_low_o = data[63:0];
  assign refill_high_o = data[LineBits-1 -: 64];
endmodule
