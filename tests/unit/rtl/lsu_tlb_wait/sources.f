// lsu_tlb_wait against a list in age order: walks, re-entries, room, squashes, flushes.
rtl/lsu/lsu_tlb_wait.sv
