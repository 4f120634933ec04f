// What the test of psv_table is built from.
attach/psv_table.sv
