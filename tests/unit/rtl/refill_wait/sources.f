// What an access waits for: a refill of its line, or of any (refill_wait), and a cache port (port_wait).
rtl/lsu/refill_wait.sv
rtl/lsu/port_wait.sv
rtl/lsu/mshr_turn.sv
