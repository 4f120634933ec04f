# Dependent loads from lines that nobody has touched before: each comes from memory.
# event: ST_L1+ST_LLC
    .include "tests/profile/events/frame.inc"
    .equ LINES, 400
    la s1, area
    li s0, LINES
again:
blame:
    ld t0, 0(s1)                # 0
    add s1, s1, t0
    addi s1, s1, 64
    addi s0, s0, -1
    bnez s0, again
    finish
    .bss
    .balign 64
area: .space LINES * 64
