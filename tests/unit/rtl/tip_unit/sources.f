// The sample latch, alone.
rtl/profile/tip_unit.sv
