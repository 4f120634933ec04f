// fp_lane against a list of what is in flight: wakes two cycles ahead of results, kills, divisions
rtl/execute/fp_round.sv
rtl/execute/fp_fma.sv
rtl/execute/fp_int.sv
rtl/execute/fp_misc.sv
rtl/execute/fp_divsqrt.sv
rtl/execute/fp_unit.sv
rtl/execute/fp_lane.sv
