// The kit around a foreign core's model, after the packages of its configuration, rtl/pkg/core_pkg.sv,
// rtl/pkg/line_pkg.sv, rtl/coherence/hub_pkg.sv and rtl/profile.f: what makes cycles of its bundle and memory behind its AXI4 port. Include path: rtl/prim.
sim/dpi_pkg.sv
attach/attach_axi_pkg.sv
sim/machine.sv
sim/bundle_rules.sv
sim/blame_rule.sv
sim/bundle_monitor.sv
sim/harness_unit.sv
attach/axi_memory.sv
attach/clean_lines.sv
attach/psv_table.sv
