// Interrupt numbers: bits of mip, mie and mideleg, and what xcause says (privileged manual, table of mcause values).
package irq_pkg;
  typedef logic [15:0] irqs_t;  // one bit an interrupt

  localparam logic [3:0] IrqSsi = 1, IrqMsi = 3, IrqSti = 5, IrqMti = 7, IrqSei = 9, IrqMei = 11, IrqLcofi = 13;
endpackage
