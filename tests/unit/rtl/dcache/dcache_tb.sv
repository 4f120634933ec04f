// dcache with flat ports; cache ports by their bits.
module dcache_tb
  import config_pkg::*;
  import core_pkg::*;
  import line_pkg::*;
  import dcache_pkg::*;
(
  input  logic         clk_i,
  input  logic         rst_ni,
  output logic [31:0]  ports_o,
  output logic [31:0]  sets_o,
  output logic [31:0]  ways_o,
  output logic [31:0]  mshrs_o,
  input  logic [1:0]   look_i,
  input  logic [1:0]   fetch_i,
  input  logic [1:0]   spare_i,
  input  logic [1:0]   own_i,
  input  logic [1:0]   write_i,
  input  logic [63:0]  addr_i [2],
  input  logic [63:0]  word_i,
  input  logic [7:0]   mask_i,
  output logic [1:0]   hit_o,
  output logic [1:0]   upgrade_o,
  output logic [63:0]  word_o [2],
  output logic [1:0]   join_o,
  output logic         write_block_o,
  input  logic         writer_waits_i,
  output logic         refill_o,
  output logic [63:0]  refill_line_o,
  output logic         refill_llc_o,
  input  logic         clean_i,
  output logic         clean_done_o,
  output logic         req_o,
  output logic         req_write_o,
  output logic [7:0]   req_entry_o,
  output logic [4:0]   req_id_o,
  output logic [63:0]  req_addr_o,
  output logic [511:0] req_data_o,
  input  logic         ready_i,
  input  logic [7:0]   done_i,           // write-backs that are acknowledged
  input  logic         resp_i,
  input  logic [4:0]   resp_id_i,
  input  logic         resp_llc_i,
  input  logic [511:0] resp_data_i
);
  word_t addr [MemPorts], word [MemPorts];
  mshr_t id [MemPorts];
  mshr_rank_e rank [MemPorts];
  logic [MemPorts-1:0] hit, joined;
  logic full;
  /* verilator lint_off UNUSEDSIGNAL */  // its MSHR is mshr_file's test
  refill_t refill;
  /* verilator lint_on UNUSEDSIGNAL */
  line_req_t req;
  lines_out_t out;
  lines_in_t in;
  get_in_t get;
  put_in_t accepted;
  look_ask_t ask [MemPorts];
  logic [MemPorts-1:0] upgrade;
  lost_t lost;
  for (genvar p = 0; p < MemPorts; p++) begin : gen_port
    assign addr[p] = addr_i[p];
    assign ask[p] = '{kind: own_i[p] || write_i[p] ? hub_pkg::HUB_OWN : hub_pkg::HUB_GET, hold: HOLD_USE};
    assign rank[p] = spare_i[p] ? RANK_SPARE : RANK_ANY;
    assign word_o[p] = word[p];
  end
  dcache u_dut (
    .clk_i, .rst_ni, .look_valid_i(look_i[MemPorts-1:0]), .look_fetch_i(fetch_i[MemPorts-1:0]),
    .look_rank_i(rank), .look_ask_i(ask),
    .look_write_i(write_i[MemPorts-1:0]), .look_addr_i(addr),
    .write_word_i(word_i), .write_mask_i(mask_i), .hit_o(hit), .upgrade_o(upgrade), .word_o(word),
    .miss_join_o(joined), .miss_id_o(id), .miss_full_o(full), .write_block_o, .writer_waits_i,
    .refill_o(refill),
    .clean_i, .clean_done_o, .lines_o(out), .lines_i(in), .lost_o(lost)
  );
  line_mux u_line_mux (
    .get_i(out.get), .get_o(get), .put_i(out.put), .put_o(accepted), .line_o(req),
    .line_i('{ready: ready_i,
              resp: '{valid: resp_i, id: resp_id_i, llc_miss: resp_llc_i, error: 1'b0, data: resp_data_i}})
  );
  assign in = '{get: get, put: '{take: accepted.take, done: done_i[WbEntries-1:0]}, down: '0};
  assign ports_o = MemPorts;
  assign sets_o = DcSets;
  assign ways_o = DcWays;
  assign mshrs_o = DcMshrs;
  assign hit_o = 2'(hit);
  assign upgrade_o = 2'(upgrade);
  assign join_o = 2'(joined);
  assign refill_o = refill.valid;
  assign refill_line_o = 64'(refill.line);
  assign refill_llc_o = refill.llc;
  assign req_o = req.valid;
  assign req_write_o = req.write;
  assign req_id_o = req.id;
  assign req_entry_o = 8'(accepted.done);
  assign req_addr_o = req.addr;
  assign req_data_o = req.data;
endmodule
