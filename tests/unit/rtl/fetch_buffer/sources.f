// fetch_buffer against a queue: packets in, instructions out, flush.
rtl/prim/ring_ptr.sv
rtl/fetch/fetch_buffer.sv
