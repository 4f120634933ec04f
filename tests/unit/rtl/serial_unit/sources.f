// serial_unit: each kind of serial instruction from dispatch to commit, with its waits, exceptions and CSR writes.
rtl/execute/serial_unit.sv
