// icache against memory: hits, misses, prefetch, invalidation, faults.
rtl/prim/sync_ram.sv
rtl/fetch/icache_miss.sv
rtl/fetch/icache.sv
