// Traps forever: nothing can be executed at address 0, where traps go.
    .section .text.init
    .globl _start
_start:
    csrw mtvec, zero
    .word 0

    .section .tohost, "aw", @progbits
    .balign 64
    .globl tohost
tohost: .dword 0
