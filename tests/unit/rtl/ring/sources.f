// ring_ptr and fifo, at several sizes, against plain numbers and a queue.
rtl/prim/mp_ram.sv
rtl/prim/ring_ptr.sv
rtl/prim/fifo.sv
