// The programmable counters and what they need.
rtl/prim/lfsr.sv
rtl/profile/pmu_slots.sv
rtl/profile/pmu_events.sv
rtl/profile/sample_reload.sv
rtl/profile/sdtrig.sv
rtl/profile/pmu.sv
