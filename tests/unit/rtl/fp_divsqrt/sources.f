// fp_divsqrt: how long an operation takes, as its header says, and that its result waits. Its values are fp_unit's test.
rtl/execute/fp_round.sv
rtl/execute/fp_divsqrt.sv
