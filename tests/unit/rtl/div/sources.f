// div against C arithmetic: values with the manual's special cases, waiting for the write port, squashes.
rtl/execute/div.sv
