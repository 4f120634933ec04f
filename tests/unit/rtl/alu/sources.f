// alu against C arithmetic: every operation of the ALU, corner values in all pairs, then random ones.
rtl/execute/alu.sv
