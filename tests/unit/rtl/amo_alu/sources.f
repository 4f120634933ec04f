rtl/lsu/amo_alu.sv
