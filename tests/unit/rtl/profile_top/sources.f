// All profiling units, as another core attaches them.
rtl/prim/lfsr.sv
rtl/profile/oir_update.sv
rtl/profile/sample_select.sv
rtl/profile/tip_unit.sv
rtl/profile/tea_unit.sv
rtl/profile/sample_delivery.sv
rtl/profile/tip_csrs.sv
rtl/profile/csr_window.sv
rtl/profile/ctr_transfers.sv
rtl/profile/ctr.sv
rtl/profile/pmu_slots.sv
rtl/profile/pmu_events.sv
rtl/profile/sample_reload.sv
rtl/profile/sdtrig.sv
rtl/profile/pmu.sv
rtl/profile/profile_top.sv
