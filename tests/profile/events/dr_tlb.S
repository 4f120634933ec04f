# The TLBs are flushed before each visit of the page of `blame`, whose line stays in the instruction cache: the ROB runs
# empty until its translation has come.
# event: DR_TLB
    .include "tests/profile/events/frame.inc"
    .include "tests/profile/events/paging.inc"
    paging
    la t0, supervisor
    csrw mepc, t0
    li t0, 3 << 11
    csrc mstatus, t0
    li t0, 1 << 11
    csrs mstatus, t0
    li s0, 400
    mret
    .balign 4096
supervisor:
again:
    sfence.vma                  # the walk for this page is Flushed time of the fence ...
blame_behind_the_fence:         # ... but whoever comes first from it has missed, too
    addi t0, t0, 1
    .rept 7
    addi t0, t0, 1
    .endr
    j blame
    .balign 4096
blame:
    addi s0, s0, -1             # first instruction of a fetch packet that missed
    bnez s0, again
    finish
