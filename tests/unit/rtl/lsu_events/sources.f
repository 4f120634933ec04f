// lsu_events against the table of its header, with two memory ports.
rtl/lsu/lsu_events.sv
