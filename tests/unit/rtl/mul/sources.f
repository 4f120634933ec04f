// mul against 128-bit C arithmetic: values, pipelining, early wake, squashes.
rtl/execute/mul.sv
