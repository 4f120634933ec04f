# An environment call, served by a handler that only steps over it.
# event: FL_EX
# count: FL_EX 500
    .include "tests/profile/events/frame.inc"
    la t0, handler
    csrw mtvec, t0
    li s0, 500
again:
    addi t1, t1, 1
blame:
    ecall
    addi s0, s0, -1
    bnez s0, again
    finish
    .balign 4
handler:
    csrr t0, mepc
    addi t0, t0, 4
    csrw mepc, t0
    mret
