// A count in parts, at two sizes, against a plain one.
rtl/prim/wide_counter.sv
