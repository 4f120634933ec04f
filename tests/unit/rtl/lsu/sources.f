// lsu against a memory model: random loads, stores, AMOs and devices with squashes and replays, with and without
// translation and protection.
rtl/mmu/tlb.sv
rtl/mmu/pmp_check.sv
rtl/lsu/lsu_agu.sv
rtl/lsu/lsu_arb.sv
rtl/lsu/lsu_check.sv
rtl/lsu/lsu_tlb_wait.sv
rtl/lsu/lsu_ex.sv
rtl/lsu/lsu_table_read.sv
rtl/lsu/lsu_slots.sv
rtl/lsu/lsu_load_end.sv
rtl/lsu/lsu_prefetch.sv
rtl/lsu/lsu_store_pipe.sv
rtl/lsu/load_queue.sv
rtl/lsu/store_queue.sv
rtl/lsu/mshr_file.sv
rtl/lsu/writeback_buffer.sv
rtl/lsu/dcache_way.sv
rtl/lsu/dcache_clean.sv
rtl/lsu/dcache.sv
rtl/lsu/amo_alu.sv
rtl/lsu/amo_ctrl.sv
rtl/lsu/device_port.sv
rtl/lsu/lsu.sv
