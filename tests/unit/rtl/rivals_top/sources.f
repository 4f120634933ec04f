// The rival profilers' units, side by side as worker `rivals` clocks them.
%GEN%/event_sets_pkg.sv
rtl/profile/rivals/rival_pkg.sv
rtl/profile/rivals/lci_unit.sv
rtl/profile/rivals/nci_unit.sv
rtl/profile/rivals/rob_tag.sv
rtl/profile/rivals/dispatch_tag_unit.sv
rtl/profile/rivals/packet_order.sv
rtl/profile/rivals/fetch_tag_unit.sv
sim/rivals/rivals_top.sv
