// The profiling units alone, for another core (docs/guide/integration.md). Before these: the generated packages config_pkg, events_pkg,
// csrs_pkg, instructions_pkg and records_pkg (build/<config>/gen), then rtl/pkg/core_pkg.sv. Include path: rtl/prim, for
// assert.svh. `make lint` reads it with exactly these packages, so it is complete.
rtl/profile/profile_pkg.sv
rtl/profile/ctr_pkg.sv
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
