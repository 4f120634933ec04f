// What each slot of dispatch is used for, alone.
rtl/profile/pmu_slots.sv
