# Each hart loads, stores and counts in words of its own, or in the same ones; then hart 0 ends the run.
# STRIDE (macro): bytes from one hart's words to the next one's. 0: they are the same, and caches have to be coherent.
    .text
    .globl _start
_start:
    csrr s0, mhartid
    la s1, words
    li t0, STRIDE
    mul t0, t0, s0
    add s1, s1, t0
    li s2, 100
1:  sd s2, 8(s1)
    ld t1, 16(s1)
    add t1, t1, s0
    sd t1, 16(s1)
    amoadd.d zero, s2, (s1)
    addi s3, s1, 24
2:  lr.d t2, (s3)
    addi t2, t2, 1
    sc.d t3, t2, (s3)
    bnez t3, 2b
    fence
    addi s2, s2, -1
    bnez s2, 1b
    bnez s0, .
    li a0, 0x5555
    li a1, 0x100000
    sw a0, 0(a1)
    j .
    .bss
    .align 12
words: .space 32768
