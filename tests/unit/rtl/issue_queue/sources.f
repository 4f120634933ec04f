// int_queue and mem_queue, both around issue_queue: age order, ports, wakes, gate, waiting loads, squashes.
rtl/prim/find_first.sv
rtl/prim/oldest_of.sv
rtl/issue/issue_queue.sv
rtl/issue/int_queue.sv
rtl/issue/mem_queue.sv
