// wait_table: a load that has learnt to wait does until all bits are cleared; others mostly do not.
rtl/issue/wait_table.sv
