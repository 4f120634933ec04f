// load_queue among several harts: loads that ran ahead of a store, or of an older load whose line is lost.
rtl/prim/find_first.sv
rtl/prim/first_in_ring.sv
rtl/lsu/load_met.sv
rtl/lsu/load_order.sv
rtl/lsu/load_queue.sv
sim/load_queue_rules.sv
