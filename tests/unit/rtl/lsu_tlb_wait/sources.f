// lsu_tlb_wait against a list in age order: walks, re-entries, room, squashes, flushes.
rtl/prim/find_first.sv
rtl/prim/oldest_in_ring.sv
rtl/lsu/lsu_tlb_wait.sv
