// frontend against a program in memory: every instruction in order, redirects, training.
rtl/fetch/predecode.sv
rtl/fetch/packet_end.sv
rtl/fetch/ras.sv
rtl/fetch/btb.sv
rtl/fetch/tage_table.sv
rtl/fetch/tage.sv
rtl/fetch/ftq.sv
rtl/fetch/fetch_buffer.sv
rtl/fetch/icache_miss.sv
rtl/fetch/icache.sv
rtl/prim/find_first.sv
rtl/mmu/tlb.sv
rtl/mmu/pmp_check.sv
rtl/mmu/page_rights.sv
rtl/mmu/region_check.sv
rtl/fetch/fetch_translate.sv
rtl/fetch/frontend.sv
