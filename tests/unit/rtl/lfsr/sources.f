// The random source, alone.
rtl/prim/lfsr.sv
