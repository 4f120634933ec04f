rtl/fetch/icache_miss.sv
rtl/fetch/icache.sv
