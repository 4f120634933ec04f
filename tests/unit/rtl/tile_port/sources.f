// tile_port between a tile's caches and the hub: one request of a line at a time, and instruction misses that look into the own data cache.
rtl/prim/wait_bound.sv
rtl/coherence/insn_peek.sv
rtl/coherence/tile_port.sv
