// amo_ctrl among several harts: what it reads and writes is one step, whatever takes its line away in between.
rtl/lsu/amo_alu.sv
rtl/lsu/refill_wait.sv
rtl/lsu/port_wait.sv
rtl/lsu/amo_ctrl.sv
