// mshr_file with flat ports; of a line's data the lowest and the highest word.
module mshr_file_tb
  import config_pkg::*;
  import core_pkg::*;
  import line_pkg::*;
  import dcache_pkg::*;
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
  input  logic [1:0]  first_i,
  input  logic [63:0] line_i [2],
  output logic        coherent_o,
  input  logic [15:0] leaves_i [2],
  input  logic [15:0] gone_i,
  input  logic [1:0]  kind_i [2],
  input  logic [1:0]  hold_i [2],
  output logic [1:0]  join_o,
  output logic [7:0]  id_o [2],
  output logic        full_o,
  output logic        req_valid_o,
  output logic [7:0]  req_id_o,
  output logic [63:0] req_line_o,
  output logic [1:0]  req_kind_o,
  input  logic        req_take_i,
  input  logic        resp_i,
  input  logic [7:0]  resp_id_i,
  input  logic        resp_llc_i,
  input  logic        resp_exclusive_i,
  input  logic        resp_dirty_i,
  input  logic        resp_refused_i,
  input  logic        resp_error_i,
  input  logic [7:0]  resp_transaction_i,
  input  logic [63:0] resp_low_i,
  input  logic [63:0] resp_high_i,
  input  logic        room_i,
  output logic        next_o,
  output logic [15:0] next_set_o,
  output logic        refill_o,
  output logic [7:0]  refill_id_o,
  output logic [63:0] refill_line_o,
  output logic        refill_llc_o,
  output logic        refill_refused_o,
  output logic        refill_error_o,
  output logic        owned_o,
  output logic        dirty_o,
  output logic [7:0]  transaction_o,
  output logic [1:0]  kind_o,
  output logic [1:0]  hold_o,
  output logic [63:0] refill_low_o,
  output logic [63:0] refill_high_o
);
  line_t line [MemPorts];
  look_ask_t ask [MemPorts];
  get_t get;
  get_in_t got;
  set_ask_t next;
  arrival_t arrival;
  wb_vec_t leaves [MemPorts];
  mshr_rank_e rank [MemPorts];
  mshr_t id [MemPorts];
  refill_t refill;
  logic [MemPorts-1:0] joined;
  logic [LineBits-1:0] data;
  for (genvar p = 0; p < 2; p++) begin : gen_port
    if (p < MemPorts) begin : gen_there
      assign rank[p] = first_i[p] ? RANK_FIRST : spare_i[p] ? RANK_SPARE : RANK_ANY;
      assign line[p] = line_t'(line_i[p]);
      assign ask[p] = '{kind: hub_pkg::hub_request_e'(kind_i[p]), hold: hold_e'(hold_i[p])};
      assign leaves[p] = leaves_i[p][WbEntries-1:0];
      assign id_o[p] = 8'(id[p]);
    end else begin : gen_none
      assign id_o[p] = '0;
    end
  end
  always_comb begin
    got = '0;
    got.take = req_take_i;
    got.resp.valid = resp_i;
    got.resp.id = 5'(resp_id_i);
    got.resp.llc_miss = resp_llc_i;
    got.resp.exclusive = resp_exclusive_i;
    got.resp.dirty = resp_dirty_i;
    got.resp.refused = resp_refused_i;
    got.resp.error = resp_error_i;
    got.resp.transaction = hub_pkg::tag_t'(resp_transaction_i);
    got.resp.data = {resp_high_i, {LineBits - 128{1'b0}}, resp_low_i};
  end
  mshr_file u_dut (
    .clk_i, .rst_ni, .miss_i(miss_i[MemPorts-1:0]), .rank_i(rank), .line_i(line), .ask_i(ask),
    .leaves_i(leaves), .gone_i(gone_i[WbEntries-1:0]), .join_o(joined),
    .id_o(id), .full_o, .get_o(get), .get_i(got), .refill_room_i(room_i), .refill_next_o(next), .refill_o(refill),
    .arrival_o(arrival), .refill_data_o(data)
  );
  assign ports_o = MemPorts;
  assign entries_o = DcMshrs;
  assign sets_o = DcSets;
  assign leaving_o = WbEntries;
  assign line_bits_o = $bits(line_t);
  assign join_o = 2'(joined);
  assign req_valid_o = get.valid;
  assign req_id_o = 8'(get.id);
  assign req_line_o = 64'(get.line);
  assign req_kind_o = get.kind;
  assign coherent_o = Coherent;
  assign next_o = next.valid;
  assign next_set_o = 16'(next.at);
  assign refill_o = refill.valid;
  assign refill_id_o = 8'(refill.id);
  assign refill_line_o = 64'(refill.line);
  assign refill_llc_o = refill.llc;
  assign refill_refused_o = refill.refused;
  assign refill_error_o = refill.error;
  assign owned_o = arrival.owned;
  assign dirty_o = arrival.dirty;
  assign transaction_o = 8'(arrival.transaction);
  assign kind_o = arrival.asked.kind;
  assign hold_o = arrival.asked.hold;
  assign refill_low_o = data[63:0];
  assign refill_high_o = data[LineBits-1 -: 64];
endmodule
