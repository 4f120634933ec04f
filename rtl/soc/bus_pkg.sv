// AXI4 as the tile speaks it (AMBA AXI Protocol Specification, IHI 0022): 64 data bits, one struct a direction.
//
// Signals that never vary have no field: no lock, no region, no quality of service. r.user is not the standard's: it
// says that the last-level cache missed, and is tied to 0 where nobody knows.
package bus_pkg;
  localparam int unsigned BusBytes = 8;
  localparam int unsigned BusBits = 8 * BusBytes;
  localparam int unsigned BusIdBits = 4;
  typedef logic [BusIdBits-1:0] bus_id_t;

  localparam logic [1:0] RespOkay = 2'b00, RespSlvErr = 2'b10, RespDecErr = 2'b11;
  localparam logic [1:0] BurstIncr = 2'b01;
  localparam logic [3:0] CacheDevice = 4'b0000;     // AxCACHE: device, non-bufferable: the response is the device's own
  localparam logic [3:0] CacheWriteBack = 4'b1111;  // write-back, read- and write-allocate
  localparam logic [2:0] ProtData = 3'b001, ProtInsn = 3'b101;  // AxPROT: privileged, secure

  typedef struct packed {  // address channels, AW and AR
    logic valid;
    bus_id_t id;
    logic [63:0] addr;
    logic [7:0] len;    // beats - 1
    logic [2:0] size;   // log2 of the bytes of a beat
    logic [1:0] burst;
    logic [3:0] cache;
    logic [2:0] prot;
  } axi_a_t;
  typedef struct packed {
    logic valid;
    logic [BusBits-1:0] data;
    logic [BusBytes-1:0] strb;
    logic last;
  } axi_w_t;
  typedef struct packed {
    logic valid;
    bus_id_t id;
    logic [1:0] resp;
  } axi_b_t;
  typedef struct packed {
    logic valid;
    bus_id_t id;
    logic [BusBits-1:0] data;
    logic [1:0] resp;
    logic last;
    logic user;
  } axi_r_t;

  // An access that the bus has answered with SLVERR or DECERR: valid for one cycle.
  typedef struct packed {
    logic valid;
    logic write;
    logic insn;
    logic [63:0] addr;
  } bus_error_t;

  typedef struct packed {
    axi_a_t aw;
    axi_w_t w;
    axi_a_t ar;
    logic b_ready, r_ready;
  } axi_req_t;
  typedef struct packed {
    logic aw_ready, w_ready, ar_ready;
    axi_b_t b;
    axi_r_t r;
  } axi_resp_t;
endpackage
