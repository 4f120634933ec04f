# The line of `blame` is thrown out of the instruction cache before each visit: the ROB runs empty until it has come.
# event: DR_L1
    .include "tests/profile/events/frame.inc"
    li s0, 400
    j again
    .balign 256
again:
    fence.i                     # the refill of this line is Flushed time of the fence ...
blame_behind_the_fence:         # ... but whoever comes first from it has missed, too
    addi t0, t0, 1
    .rept 7
    addi t0, t0, 1
    .endr
    j blame
    .balign 256                 # not the next line: that is prefetched
blame:
    addi s0, s0, -1             # first instruction of a fetch packet that missed
    bnez s0, again
    finish
