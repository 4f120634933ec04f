// What the test of the floating-point units is built from.
rtl/execute/fp_round.sv
rtl/execute/fp_fma.sv
rtl/execute/fp_int.sv
rtl/execute/fp_misc.sv
rtl/execute/fp_divsqrt.sv
rtl/execute/fp_unit.sv
