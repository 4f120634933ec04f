// csr_file against a model of the privileged manual's machine mode: masks, counters, traps, mret, interrupts.
rtl/csr/csr_file.sv
