// hub against caches that keep the protocol: every copy has what was written last, one owner a line, all are answered.
rtl/prim/find_first.sv
rtl/prim/first_in_ring.sv
rtl/prim/mp_ram.sv
rtl/prim/ring_ptr.sv
rtl/prim/fifo.sv
rtl/prim/round_robin.sv
rtl/coherence/hub_requests.sv
rtl/coherence/hub_transactions.sv
rtl/coherence/hub.sv
