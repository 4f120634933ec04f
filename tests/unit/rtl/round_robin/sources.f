// round_robin at several sizes: a grant comes after all others that ask.
rtl/prim/find_first.sv
rtl/prim/first_in_ring.sv
rtl/prim/round_robin.sv
