// The walker's reads, against what lsu_table_read's header says: slots, misses, sleep, patience, errors.
rtl/lsu/refill_wait.sv
rtl/lsu/port_wait.sv
rtl/lsu/lsu_table_read.sv
