// icache_miss against the set of the lines on their way: who asks, what comes, the next line, invalidations.
rtl/fetch/icache_miss.sv
