// csr_file against a model of the privileged manual: masks, counters, PMP registers, delegation, traps, returns, interrupts.
rtl/csr/csr_file.sv
rtl/csr/irq_select.sv
rtl/csr/pmp_regs.sv
rtl/csr/status_reg.sv
rtl/csr/trap_regs.sv
