# A loop of 5 rounds that calls a function with a loop of 7, then two marker instructions, then exit code 0.
    .text
    .globl _start
    .type _start, @function
_start:
    li s0, 5
    .globl outer
outer:
    jal inner
    addi s0, s0, -1
    bnez s0, outer
    slti x0, x0, 3
    nop
    nop
    slti x0, x0, 4
    li t1, 1
    la t0, tohost
    sd t1, 0(t0)
2:  j 2b
    .size _start, . - _start
    .type inner, @function
inner:
    li s1, 7
1:  addi s1, s1, -1
    bnez s1, 1b
    ret
    .size inner, . - inner

    .section .tohost, "aw", @progbits
    .balign 64
    .globl tohost
tohost: .dword 0
    .globl fromhost
fromhost: .dword 0
