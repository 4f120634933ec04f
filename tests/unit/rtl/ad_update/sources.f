// ad_update, switched on: verdicts on page faults, the byte that is written, interrupts held off.
rtl/mmu/pmp_check.sv
rtl/mmu/region_check.sv
rtl/mmu/ad_update.sv
