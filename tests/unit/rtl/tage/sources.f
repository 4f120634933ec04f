// tage against a model of it: answers, what a prediction remembers, training, allocation, ageing, the walk after reset.
rtl/prim/sync_ram.sv
rtl/fetch/tage_table.sv
rtl/fetch/tage.sv
