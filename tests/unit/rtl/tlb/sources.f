// tlb against a map without limit: no wrong translation, nothing forgotten early, what is in use stays.
rtl/mmu/tlb.sv
