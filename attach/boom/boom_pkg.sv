// What passes from SonicBOOM's load/store unit to the host at its chip's serial port.
package boom_pkg;
  typedef struct packed {
    logic [39:0] addr;
    logic [1:0] size;   // log2 of its bytes
    logic [63:0] data;  // in its low bits
  } store_t;
endpackage
