// dispatch against its rules: program order, what is lacking, serial instructions, DR_SQ.
rtl/dispatch/dispatch.sv
