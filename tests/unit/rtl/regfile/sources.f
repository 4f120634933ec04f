// regfile against an array: all ports at once, forwarding of the first write ports only.
rtl/execute/regfile.sv
