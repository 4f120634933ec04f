# Ends by one store to tohost, of INIT by STORE (macros), then loops on it like riscv-arch-test's environment: what each
# width of store means to the host.
    .text
    .globl _start
    .type _start, @function
_start:
    la t0, tohost
    li t1, INIT
1:  STORE
#ifndef ONCE
    j 1b
#endif
2:  j 2b
    .size _start, . - _start
#ifndef ELSEWHERE
    .section .tohost, "aw", @progbits
    .balign 64
    .globl tohost
tohost: .dword 0
    .size tohost, 8
#endif
