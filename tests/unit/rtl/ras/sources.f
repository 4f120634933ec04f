// ras against a stack: calls, returns, repair.
rtl/fetch/ras.sv
