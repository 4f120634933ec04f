rtl/fetch/predecode.sv
rtl/fetch/packet_end.sv
