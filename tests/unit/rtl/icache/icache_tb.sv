// Instruction cache with flat ports. Inputs are registered.
module icache_tb
  import config_pkg::*;
  import core_pkg::*;
  import line_pkg::*;
  import fetch_pkg::*;
(
  input  logic        clk_i,
  input  logic        rst_ni,
  output logic [31:0] block_bytes_o,
  output logic [31:0] sets_o,
  output logic [31:0] ways_o,
  input  logic        invalidate_i,
  input  logic        read_i,
  input  logic [63:0] read_addr_i,
  input  logic        use_i,
  output logic        used_o,        // use_i, registered: the outputs below count
  output logic        hit_o,
  output logic [255:0] data_o,
  output logic        error_o,       // never: no response here is an error (icache_miss has those)
  output logic        pending_o,
  output logic        fill_o,
  output logic        req_o,
  output logic [4:0]  req_id_o,
  output logic [63:0] req_addr_o,
  input  logic        ready_i,
  output logic        ready_o,       // registered
  input  logic        resp_i,
  input  logic [4:0]  resp_id_i,
  input  logic [511:0] resp_data_i
);
  logic rst_q, invalidate_q, read_q, use_q, ready_q, other_q;
  logic [11-OffsetBits:0] block [2];  // the one that is meant, and another
  logic [63:0] read_addr_q;
  logic [43:0] page_q;                // of the block read last
  line_resp_t resp_q;
  line_req_t req;
  parcels_t parcels;
  assign block[0] = other_q ? ~read_addr_q[11:OffsetBits] : read_addr_q[11:OffsetBits];
  assign block[1] = other_q ? read_addr_q[11:OffsetBits] : ~read_addr_q[11:OffsetBits];
  always_ff @(posedge clk_i) begin
    rst_q <= rst_ni;
    other_q <= rst_ni && !other_q;
    invalidate_q <= invalidate_i;
    read_q <= read_i;
    read_addr_q <= read_addr_i;
    use_q <= use_i;
    if (read_q) page_q <= read_addr_q[55:12];
    ready_q <= ready_i;
    resp_q <= '{valid: resp_i && rst_ni, id: resp_id_i, llc_miss: 1'b0, error: 1'b0, data: resp_data_i};
  end
  icache u_dut (
    .clk_i, .rst_ni(rst_q), .invalidate_i(invalidate_q), .read_i(read_q), .read_block_i(block), .read_other_i(other_q),
    .use_i(use_q), .page_i(page_q), .drop_i(1'b0), .hit_o, .error_o, .parcels_o(parcels), .pending_o, .fill_o,
    .req_o(req), .ready_i(ready_q), .resp_i(resp_q)
  );
  assign used_o = use_q;
  assign data_o = 256'(parcels);
  assign req_o = req.valid;
  assign req_id_o = req.id;
  assign req_addr_o = req.addr;
  assign ready_o = ready_q;
  assign block_bytes_o = 2 * FetchWidth;
  assign sets_o = IcSets;
  assign ways_o = IcWays;
endmodule
