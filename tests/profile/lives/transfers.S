# Each kind of control transfer in a loop, at a label of its own; directions of branches that a hand can follow.
    .include "tests/profile/events/frame.inc"
    la t0, handler
    csrw mtvec, t0
    li s0, 800
again:
direct_jump:
    j over
    nop
over:
    la t3, indirect             # not t0, which is a link
indirect_jump:
    jr t3
    nop
indirect:
direct_call:
    jal ra, leaf
    la t1, leaf
call_indirect:
    jalr ra, t1
indirect_call:
    la t0, leaf_of_t0
    jal t0, to_swap             # t0: a link, as ra is
    nop
not_taken:
    bne zero, zero, again
taken:
    beq zero, zero, behind
    nop
behind:
    ecall
    addi s0, s0, -1
    bnez s0, again
    finish
leaf:
return_from:
    ret
leaf_of_t0:
    ret
to_swap:
coroutine_swap:
    jalr ra, t0                 # from one link to the other
    nop
    .balign 4
handler:
    csrr t0, mepc
    addi t0, t0, 4
    csrw mepc, t0
trap_return:
    mret
