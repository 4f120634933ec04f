// The core's AXI4 port: lines for the instruction cache (id 0), lines and device reads for loads (id 1), and one store
// at a time.
module inorder_bus
  import inorder_pkg::*;
  import attach_axi_pkg::*;
(
  input  logic         clk_i,
  input  logic         rst_ni,
  input  logic         fetch_i,       // wants a line, until fetch_done_o
  input  word_t        fetch_line_i,
  output logic         fetch_done_o,
  output logic [511:0] fetch_data_o,
  input  logic         load_i,        // wants a line, or a device's answer, until load_done_o
  input  logic         load_single_i,
  input  word_t        load_address_i,
  input  logic [2:0]   load_size_i,
  output logic         load_done_o,
  output logic [511:0] load_data_o,   // single: in the bytes of the address, in the top word
  input  store_t       store_i,
  output logic         store_done_o,
  output axi_req_t     axi_o,
  input  axi_resp_t    axi_i
);
  localparam logic [3:0] FetchId = 0, LoadId = 1;
  logic fetch_asked_q, load_asked_q, choose_load, address_q, data_q;
  assign choose_load = load_i && !load_asked_q;

  always_comb begin
    axi_o = '0;
    axi_o.ar_valid = choose_load || (fetch_i && !fetch_asked_q);
    axi_o.ar = '{id: FetchId, addr: fetch_line_i, len: 8'd7, size: 3'd3, burst: BurstIncr};
    if (choose_load)
      axi_o.ar = load_single_i ? '{id: LoadId, addr: load_address_i, len: 8'd0, size: load_size_i, burst: BurstIncr} :
                 '{id: LoadId, addr: {load_address_i[63:6], 6'd0}, len: 8'd7, size: 3'd3, burst: BurstIncr};
    axi_o.r_ready = 1'b1;
    axi_o.aw_valid = store_i.valid && !address_q;
    axi_o.aw = '{id: 4'd0, addr: store_i.address, len: 8'd0, size: store_i.size, burst: BurstIncr};
    axi_o.w_valid = store_i.valid && !data_q;
    axi_o.w_data = store_i.data << {store_i.address[2:0], 3'd0};
    axi_o.w_strb = ((8'd1 << (4'd1 << store_i.size)) - 8'd1) << store_i.address[2:0];
    axi_o.w_last = 1'b1;
    axi_o.b_ready = 1'b1;
  end
  assign store_done_o = axi_i.b_valid;

  always_ff @(posedge clk_i) begin
    fetch_done_o <= axi_i.r_valid && axi_i.r_id == FetchId && axi_i.r_last;
    load_done_o <= axi_i.r_valid && axi_i.r_id == LoadId && axi_i.r_last;
    if (axi_i.r_valid && axi_i.r_id == FetchId) fetch_data_o <= {axi_i.r_data, fetch_data_o[511:64]};
    if (axi_i.r_valid && axi_i.r_id == LoadId) load_data_o <= {axi_i.r_data, load_data_o[511:64]};
    if (!rst_ni) begin
      fetch_asked_q <= 1'b0;
      load_asked_q <= 1'b0;
      address_q <= 1'b0;
      data_q <= 1'b0;
      fetch_done_o <= 1'b0;
      load_done_o <= 1'b0;
    end else begin
      if (choose_load) load_asked_q <= axi_i.ar_ready;
      else if (fetch_i && !fetch_asked_q) fetch_asked_q <= axi_i.ar_ready;
      if (fetch_done_o) fetch_asked_q <= 1'b0;
      if (load_done_o) load_asked_q <= 1'b0;
      if (axi_o.aw_valid && axi_i.aw_ready) address_q <= 1'b1;
      if (axi_o.w_valid && axi_i.w_ready) data_q <= 1'b1;
      if (axi_i.b_valid) {address_q, data_q} <= '0;
    end
  end
endmodule
