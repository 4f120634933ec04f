// What the sockets of ideal parts ask the C side (harness/ideal.h): words of memory as they are now, and what the
// program will do next. Simulation only; sockets exist with the key ideal.sockets alone.
package ideal_pkg;
  import core_pkg::*;

  // Parts that are ideal in this run: the keys ideal.*, lowest bit first.
  typedef struct packed {
    logic memory_order;
    logic tlb;
    logic l1d;
    logic l1i;
    logic branches;
  } parts_t;
  import "DPI-C" function int unsigned tipoff_ideal_parts();

  // `now` changes with every write (sim/ideal.sv): what depends on it is read again.
  import "DPI-C" function longint unsigned tipoff_ideal_read(input int unsigned now, input longint unsigned addr);
  import "DPI-C" function void tipoff_ideal_write(input longint unsigned addr, input longint unsigned word,
                                                  input int unsigned mask);
  // A word of a page table. 0: there is no memory.
  import "DPI-C" function int tipoff_ideal_table(input int unsigned now, input longint unsigned addr,
                                                 output longint unsigned pte);

  // The packet that begins at this address with instruction number seq since reset, on the path that the program takes:
  // bit 0: it is known; bit 1: a transfer in it is taken, the others its slot; and where it goes.
  import "DPI-C" function int unsigned tipoff_ideal_packet(input longint unsigned seq, input longint unsigned pc,
      input int unsigned bytes, output longint unsigned target);
  // How many stores before the load with this number the youngest one is that writes a byte of it (1: the one before
  // it); 0: none that has not left the core.
  import "DPI-C" function int unsigned tipoff_ideal_store(input longint unsigned seq, input longint unsigned addr,
      input int unsigned mask);
endpackage
