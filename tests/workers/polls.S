# Hart 0 stores a number in turn, with a pause after each; hart 1 loads it again and again, and each of its loads has its value long
# before it retires, for it is behind divisions.
    .text
    .globl _start
_start:
    csrr s0, mhartid
    la s1, word
    li s2, 100
    li s3, 3
    bnez s0, polls
stores:
    sd s2, (s1)
    li t0, 60
1:  addi t0, t0, -1
    bnez t0, 1b
    addi s2, s2, -1
    bnez s2, stores
    li a0, 0x5555
    li a1, 0x100000
    sw a0, 0(a1)
    j .
polls:
    li t0, -1
    .rept 8
    div t0, t0, s3
    .endr
    ld t1, (s1)
    j polls
    .bss
    .align 6
word: .space 64
