// fp_unit against the host's arithmetic and exact integers: corner operands crossed, random ones, latencies, tags, flushes
rtl/execute/fp_round.sv
rtl/execute/fp_fma.sv
rtl/execute/fp_int.sv
rtl/execute/fp_misc.sv
rtl/execute/fp_divsqrt.sv
rtl/execute/fp_unit.sv
