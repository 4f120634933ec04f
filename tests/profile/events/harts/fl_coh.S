# A load runs ahead of an older one, whose address comes late, and gets a word that hart 1 keeps writing: hart 1 takes its
# cache line before the older load has its data, and the younger one is replayed, in each round once. Then it waits for
# hart 1, which takes more time than the replay.
# event: ST_L1+ST_COH
# count: FL_MO 200
# count: FL_COH 200
# harts: 2
    .include "tests/profile/events/frame.inc"
    .equ ROUNDS, 200
    la s1, word
    la s2, mine
    csrr t0, mhartid
    li s0, ROUNDS
    li s3, 1
    bnez t0, writes
again:
    .rept 4                     # the address of the older load, late
    div t0, s2, s3
    div s2, t0, s3
    .endr
    ld t1, 0(s2)
blame:
    ld t2, 0(s1)
    addi s0, s0, -1
    bnez s0, again
    finish
writes:
    sd t1, 0(s1)
    addi t1, t1, 1
    j writes
    .bss
    .balign 64
word: .space 64
mine: .space 64
