// Emits stores to tohost as SonicBOOM's data cache takes them: gen_bind.py binds it into LSU.
//
// The caches write back, so that memory does not see such a store in time. A store that the cache turns away is
// asked again, and emitted when it is taken, once. Stores and amoswap count; sc and other AMOs to tohost do not.
module boom_stores
  import boom_pkg::store_t;
  import dpi_pkg::tipoff_tohost, dpi_pkg::tipoff_tohost_address;
(
  input  logic        clk_i,
  input  logic        rst_ni,
  input  logic        request_i,        // to the data cache, taken
  input  logic        request_store_i,
  input  logic [4:0]  request_kind_i,
  input  logic [5:0]  request_index_i,  // in the store queue
  input  logic [39:0] request_addr_i,
  input  logic [1:0]  request_size_i,   // log2 of its bytes
  input  logic [63:0] request_data_i,   // low bits
  input  logic        answer_i,         // the cache has done a store
  input  logic [5:0]  answer_index_i,
  output logic        emitted_o,        // a store was emitted in the cycle before
  output store_t      store_o           // the last that was
);
  localparam logic [4:0] Store = 1, Swap = 4;  // M_XWR, M_XA_SWAP
  longint unsigned tohost;
  initial tohost = tipoff_tohost_address();

  logic [63:0] waits_q;  // by index
  store_t store_q [64];
  logic ours, emitted;
  assign ours = request_i && request_store_i && (request_kind_i == Store || request_kind_i == Swap) &&
                tohost != 0 && request_addr_i[39:3] == tohost[39:3];
  assign emitted = answer_i && waits_q[answer_index_i];

  always_ff @(posedge clk_i)
    if (!rst_ni) begin
      waits_q <= '0;
      emitted_o <= 1'b0;
    end else begin
      emitted_o <= emitted;
      if (emitted) begin
        store_o <= store_q[answer_index_i];
        waits_q[answer_index_i] <= 1'b0;
        tipoff_tohost(64'(store_q[answer_index_i].addr), store_q[answer_index_i].data,
                      int'(store_q[answer_index_i].size));
      end
      if (request_i && request_store_i) waits_q[request_index_i] <= ours;
      if (ours) store_q[request_index_i] <= '{addr: request_addr_i, size: request_size_i, data: request_data_i};
    end
endmodule
