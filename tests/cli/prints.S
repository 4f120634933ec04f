# Prints without end: a byte to the UART at the address UART (macro) every few cycles.
    .text
    .globl _start
    .type _start, @function
_start:
    li t0, UART
    li t1, 'x'
1:  sb t1, 0(t0)
    j 1b
    .size _start, . - _start
