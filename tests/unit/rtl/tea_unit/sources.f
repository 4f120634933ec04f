// The sample latch that waits for complete vectors, alone.
rtl/profile/tea_unit.sv
