// pmp_check against the rules of the privileged manual over random regions.
rtl/mmu/pmp_check.sv
