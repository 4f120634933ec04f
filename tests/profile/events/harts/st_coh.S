# Hart 0 reads a word that hart 1 keeps writing: its copy of the line has gone each time, and hart 1 has to give the data.
# event: ST_L1+ST_COH
# harts: 2
    .include "tests/profile/events/frame.inc"
    .equ ROUNDS, 300
    la s1, word
    csrr t0, mhartid
    li s0, ROUNDS
    bnez t0, writes
again:
blame:
    ld t0, 0(s1)
    and t0, t0, x0             # the next address depends on it, but through a delay in which hart 1 writes
    .rept 40
    addi t0, t0, 1
    .endr
    addi t0, t0, -40
    add s1, s1, t0
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
