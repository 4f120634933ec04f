# Waits for an interrupt, with the bits of mie that WAKERS says enabled; a timer that is never set wakes nobody.
    .text
    .globl _start
    .type _start, @function
_start:
    li a0, WAKERS
    csrw mie, a0
1:  wfi
    j 1b
    .size _start, . - _start
    .section .tohost, "aw", @progbits
    .align 6
    .globl tohost
tohost: .dword 0
    .size tohost, 8
