// map_table, free_list, branch_tracker and busy_table: renaming with commits, mispredictions and flushes in any order.
rtl/prim/ring_ptr.sv
rtl/rename/map_table.sv
rtl/rename/free_list.sv
rtl/rename/branch_tracker.sv
rtl/rename/busy_table.sv
