// Which interrupt is due: pending, enabled, and not masked by the privilege it would interrupt. Combinational.
//
// What is not delegated interrupts any mode below M, and M with MIE; what is delegated interrupts U, and S with SIE,
// never M. Those for M go first. Within each: MEI, MSI, MTI, SEI, SSI, STI, LCOFI.
module irq_select
  import core_pkg::*;
  import irq_pkg::*;
(
  input  irqs_t pending_i,              // mip
  input  irqs_t enabled_i,              // mie
  input  irqs_t delegated_i,            // mideleg
  input  priv_e priv_i,
  input  logic mie_i,                   // mstatus
  input  logic sie_i,
  output logic irq_o,
  output cause_t cause_o,
  output logic wake_o                   // ends a wfi: global enables and delegation have no say
);
  irqs_t due, for_m, for_s, chosen;
  assign due = pending_i & enabled_i;
  assign wake_o = due != '0;
  assign for_m = (priv_i != PRIV_M || mie_i) ? due & ~delegated_i : '0;
  assign for_s = (priv_i == PRIV_U || (priv_i == PRIV_S && sie_i)) ? due & delegated_i : '0;
  assign chosen = for_m != '0 ? for_m : for_s;
  assign irq_o = chosen != '0;

  logic [3:0] number;
  always_comb
    if (chosen[IrqMei]) number = IrqMei;
    else if (chosen[IrqMsi]) number = IrqMsi;
    else if (chosen[IrqMti]) number = IrqMti;
    else if (chosen[IrqSei]) number = IrqSei;
    else if (chosen[IrqSsi]) number = IrqSsi;
    else if (chosen[IrqSti]) number = IrqSti;
    else number = IrqLcofi;
  assign cause_o = cause_t'(number);
endmodule
