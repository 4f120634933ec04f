// Addresses of the instruction cache.
package icache_pkg;
  import config_pkg::*;

  localparam int unsigned AddrBits = 56;      // physical address, privileged manual, Sv39
  localparam int unsigned PageLineBits = 6;   // lines in a 4 KiB page
  localparam int unsigned SetBits = $clog2(IcSets);
  typedef logic [AddrBits-7:0] line_addr_t;   // in lines of 64 bytes
  typedef logic [AddrBits-7-SetBits:0] tag_t;
  typedef logic [SetBits-1:0] set_t;
endpackage
