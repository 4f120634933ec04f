# A combination: an environment call at the start of a line that has to be fetched again each time.
# event: DR_L1+FL_EX
# count: FL_EX 400
    .include "tests/profile/events/frame.inc"
    la t0, handler
    csrw mtvec, t0
    li s0, 400
    j again
    .balign 256
again:
    fence.i
    .rept 8
    addi t0, t0, 1
    .endr
    j blame
    .balign 256                 # not the next line: that is prefetched
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
