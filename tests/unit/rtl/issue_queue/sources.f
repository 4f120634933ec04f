// int_queue and mem_queue, both around issue_queue: age order, ports, wakes, gate, waiting loads, squashes.
rtl/prim/age_matrix.sv
rtl/prim/find_first.sv
rtl/prim/mp_ram.sv
rtl/issue/issue_queue.sv
rtl/issue/payload_queue.sv
rtl/issue/int_queue.sv
rtl/issue/mem_queue.sv
