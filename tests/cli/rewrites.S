# Rewrites an instruction beside one that it has executed, in the same line of the instruction cache, and goes there without
# fence.i (with -DFENCE: with it). Exit code 0 where the new one is executed, else 1.
    .text
    .globl _start
    .type _start, @function
_start:
    la t0, place
    lw t1, other
    jal ra, near
    sw t1, 0(t0)
#ifdef FENCE
    fence.i
#endif
    jal ra, place
    la t0, tohost
    slli a0, a0, 1
    ori a0, a0, 1
    sd a0, 0(t0)
1:  j 1b
    .option norvc
    .balign 64
near:
    ret
place:
    li a0, 1
    ret
other:
    li a0, 0
    .size _start, . - _start
    .section .tohost, "aw", @progbits
    .balign 64
    .globl tohost
tohost: .dword 0
    .size tohost, 8
