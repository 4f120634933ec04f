// ProfileMe, alone.
rtl/prim/lfsr.sv
rtl/prim/wide_counter.sv
rtl/profile/csr_window.sv
rtl/profile/profileme_select.sv
rtl/profile/profileme_tag.sv
rtl/profile/profileme.sv
sim/collision_rules.sv
