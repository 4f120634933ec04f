// vector_gate against a queue in which each instruction knows whether vectors were kept in every cycle since it was dispatched.
rtl/commit/vector_gate.sv
