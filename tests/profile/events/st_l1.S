# Dependent loads from an area that the LLC holds and the L1 data cache does not.
# event: ST_L1
    .include "tests/profile/events/frame.inc"
    .equ LINES, 1024            # 64 KiB: twice the larger L1
    la s1, area
    li s0, LINES
warm:
    sd zero, 0(s1)
    addi s1, s1, 64
    addi s0, s0, -1
    bnez s0, warm
    fence
    li s3, 4
pass:
    la s1, area
    li s0, LINES
again:
blame:
    ld t0, 0(s1)                # 0
    add s1, s1, t0
    addi s1, s1, 64
    addi s0, s0, -1
    bnez s0, again
    addi s3, s3, -1
    bnez s3, pass
    finish
    .bss
    .balign 64
area: .space LINES * 64
