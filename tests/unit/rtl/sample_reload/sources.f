// sample_reload alone, against distances in numbers of 128 bits, in every cycle.
rtl/prim/lfsr.sv
rtl/profile/sample_reload.sv
