// The counters and what they need.
rtl/prim/lfsr.sv
rtl/profile/pmu_counter.sv
rtl/profile/pmu.sv
