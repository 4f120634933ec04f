// sync_ram and mp_ram at several sizes, against arrays: ports, lanes, collisions, what stays and what reset clears.
rtl/prim/sync_ram.sv
rtl/prim/mp_ram.sv
