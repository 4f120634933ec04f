# An instruction that lies half in one line and half in the next, which has to be fetched again each time: it is the first
# that its second half's fetch packet has to give, so that packet's miss is its own. The lines lie in two pages, so the
# second one is not prefetched.
# event: DR_L1
    .include "tests/profile/events/frame.inc"
    li s0, 400
    j again
    .balign 4096
again:
    fence.i                     # all lines miss from here on
blame_behind_the_fence:
    addi t0, t0, 1
    j blame_first_line
    .balign 4096
    .space 4096 - 64
blame_first_line:
    .option push
    .option rvc
    c.nop                       # from here on instructions lie across words
    .option pop
    .rept 15
    addi t0, t0, 1
    .endr
blame:
    addi t0, t0, 1              # at the last parcel of its page
    addi s0, s0, -1
    beqz s0, 1f
    j again
1:  finish
