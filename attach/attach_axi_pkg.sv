// AXI4 with 64 bits of data, as one struct a direction: what a foreign core's memory port is, seen from the core.
package attach_axi_pkg;
  localparam logic [1:0] BurstFixed = 0, BurstIncr = 1, BurstWrap = 2;

  typedef struct packed {
    logic [3:0] id;
    logic [63:0] addr;
    logic [7:0] len;    // beats - 1
    logic [2:0] size;   // log2 of a beat's bytes
    logic [1:0] burst;
  } axi_address_t;

  typedef struct packed {
    logic aw_valid;
    axi_address_t aw;
    logic w_valid;
    logic [63:0] w_data;
    logic [7:0] w_strb;
    logic w_last;
    logic b_ready;
    logic ar_valid;
    axi_address_t ar;
    logic r_ready;
  } axi_req_t;

  typedef struct packed {
    logic aw_ready;
    logic w_ready;
    logic b_valid;
    logic [3:0] b_id;
    logic ar_ready;
    logic r_valid;
    logic [3:0] r_id;
    logic [63:0] r_data;
    logic r_last;
  } axi_resp_t;         // no errors: the machine answers every address
endpackage
