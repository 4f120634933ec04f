// regfile against an array: all ports at once, forwarding of the first write ports only.
rtl/prim/mp_ram.sv
rtl/execute/regfile.sv
