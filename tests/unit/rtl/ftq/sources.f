// ftq against a list of packets: numbers, room, redirects' corrections, what is freed when, and what trains the predictors.
rtl/fetch/ftq.sv
