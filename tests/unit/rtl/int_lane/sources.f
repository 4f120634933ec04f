// int_lane with ALU and branch unit: operand choice, link addresses, CSR data, completion, squashes in both stages.
rtl/execute/alu.sv
rtl/execute/branch_unit.sv
rtl/execute/int_lane.sv
