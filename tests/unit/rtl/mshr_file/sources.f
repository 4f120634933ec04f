// mshr_file against what its header says: lines on their way, requests in order, responses in any, refills.
rtl/prim/mp_ram.sv
rtl/prim/wait_bound.sv
rtl/lsu/mshr_file.sv
