// tlb against a map without limit: no wrong translation, nothing forgotten early, what is in use stays.
rtl/prim/find_first.sv
rtl/mmu/tlb.sv
