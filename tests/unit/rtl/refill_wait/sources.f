// What an access waits for: a refill of its line, or of any.
rtl/lsu/refill_wait.sv
