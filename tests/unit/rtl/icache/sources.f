// icache against memory: hits, misses, prefetch, invalidation, faults.
rtl/fetch/icache_miss.sv
rtl/fetch/icache.sv
