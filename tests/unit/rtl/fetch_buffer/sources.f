rtl/fetch/fetch_buffer.sv
