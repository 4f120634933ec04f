# A division and what is around it, in a loop that begins with an empty pipeline (a CSR write lets nothing pass): how long each instruction takes in each stage
# can be counted by hand. test_lives.py has the numbers.
    .include "tests/profile/events/frame.inc"
    li s0, 800
    li s1, -1
    srli s1, s1, 1              # 2^63 - 1 by 1: as long as a division takes
    li s2, 1
    .balign 64
again:
    csrw mscratch, s0
division:
    div t0, s1, s2
waits_for_it:
    addi t1, t0, 1
passes_it:
    addi t2, s2, 1
chain_1:
    mul t3, s2, s2
chain_2:
    mul t3, t3, s2
chain_3:
    mul t3, t3, s2
unit_is_taken:
    div t4, s1, s2
last:
    addi s0, s0, -1
    bnez s0, again
    finish
