// predecode against a decoder of 16-bit and 32-bit transfers.
rtl/fetch/predecode.sv
rtl/fetch/packet_end.sv
