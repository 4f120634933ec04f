// lsu_prefetch against what its header says, where there is a prefetcher and where there is none.
rtl/lsu/lsu_prefetch.sv
