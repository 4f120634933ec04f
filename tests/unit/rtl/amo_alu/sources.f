// amo_alu against C: every AMO, both widths, corner operands.
rtl/lsu/amo_alu.sv
