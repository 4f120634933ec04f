// fp_queue with issue_queue and its third operand, against a list in age order: wakes, ports, the divider's gate, squashes.
rtl/prim/age_matrix.sv
rtl/prim/find_first.sv
rtl/prim/mp_ram.sv
rtl/issue/issue_queue.sv
rtl/issue/payload_queue.sv
rtl/issue/fp_queue.sv
