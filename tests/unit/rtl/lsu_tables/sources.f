// lsu_tables with its reader and its writer, against what their headers say: slots, misses, sleep, patience, and stores that pass.
rtl/lsu/refill_wait.sv
rtl/lsu/port_wait.sv
rtl/lsu/lsu_table_read.sv
rtl/lsu/lsu_table_write.sv
rtl/lsu/lsu_tables.sv
