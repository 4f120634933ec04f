// fetch_buffer against a queue: packets in, instructions out, flush.
rtl/fetch/fetch_buffer.sv
