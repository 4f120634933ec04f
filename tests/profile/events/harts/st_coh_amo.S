# Both harts count in one word: each amoadd has to get the line from the other hart, or to take the other's copy away.
# event: ST_L1+ST_COH
# harts: 2
    .include "tests/profile/events/frame.inc"
    .equ ROUNDS, 300
    la s1, word
    csrr t0, mhartid
    li s0, ROUNDS
    bnez t0, others
again:
blame:
    amoadd.d t0, s0, 0(s1)
    addi s0, s0, -1
    bnez s0, again
    finish
others:
    amoadd.d t0, s0, 0(s1)
    j others
    .bss
    .balign 64
word: .space 64
