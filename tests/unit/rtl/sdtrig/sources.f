// The triggers, alone.
rtl/profile/sdtrig.sv
