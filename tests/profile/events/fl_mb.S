# A branch on a bit of a random sequence (xorshift): no history foretells it.
# event: FL_MB
    .include "tests/profile/events/frame.inc"
    li s0, 6000
    li s1, 88172645463325252
again:
    slli t0, s1, 13
    xor s1, s1, t0
    srli t0, s1, 7
    xor s1, s1, t0
    slli t0, s1, 17
    xor s1, s1, t0
    andi t0, s1, 64
blame:
    bnez t0, over
    addi s2, s2, 1
over:
    addi s0, s0, -1
    bnez s0, again
    finish
