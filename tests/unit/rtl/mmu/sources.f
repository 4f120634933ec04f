// mmu with its walker and its L2 TLB, against a walk written from the privileged manual.
rtl/prim/sync_ram.sv
rtl/mmu/pmp_check.sv
rtl/mmu/page_rights.sv
rtl/mmu/region_check.sv
rtl/mmu/leaf_region_check.sv
rtl/mmu/l2_tlb.sv
rtl/mmu/ptw.sv
rtl/mmu/mmu.sv
