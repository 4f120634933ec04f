# Stores to lines that are in no cache drain slower than they commit: the store queue fills and dispatch waits for it.
# event: DR_SQ
    .include "tests/profile/events/frame.inc"
    li s0, 600
    la s1, area
again:
blame:
    sd zero, 0(s1)
    addi s1, s1, 64
    addi s0, s0, -1
    bnez s0, again
    finish
    .bss
    .balign 64
area: .space 600 * 64
