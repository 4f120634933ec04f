rtl/fetch/ras.sv
