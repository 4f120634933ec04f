// ftq against a list of packets: numbers, room, redirects' corrections, what is freed when, and what trains the predictors.
rtl/prim/ring_ptr.sv
rtl/fetch/ftq.sv
