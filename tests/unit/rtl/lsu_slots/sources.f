// lsu_slots with lsu_arb against their headers: who gets a cache port in EX, and what reaches M1 of it.
rtl/lsu/lsu_arb.sv
rtl/lsu/lsu_slots.sv
