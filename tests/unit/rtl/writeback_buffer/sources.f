// writeback_buffer against a queue: lines in order, room for one and for two, full and empty.
rtl/prim/find_first.sv
rtl/prim/mp_ram.sv
rtl/lsu/writeback_buffer.sv
