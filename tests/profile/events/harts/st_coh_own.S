# Hart 0 adds to a word that hart 1 reads meanwhile: its L1 has the line, but shared. It is no miss: hart 1's copy has to go.
# The first amoadd misses, as the boot ROM's load does; the other 299 wait for hart 1.
# event: ST_COH
# harts: 2
# count: ST_COH 299
# count: ST_L1 2
    .include "tests/profile/events/frame.inc"
    .equ ROUNDS, 300
    la s1, word
    csrr t0, mhartid
    li s0, ROUNDS
    bnez t0, reads
again:
blame:
    amoadd.d t0, s0, 0(s1)
    li t1, 60                   # until hart 1 has read it
1:  addi t1, t1, -1
    bnez t1, 1b
    addi s0, s0, -1
    bnez s0, again
    finish
reads:
    ld t0, 0(s1)
    j reads
    .bss
    .balign 64
word: .space 64
