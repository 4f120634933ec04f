// What the test of the floating-point units is built from.
rtl/execute/fp_round.sv
rtl/execute/fp_fma.sv
