# The overflow interrupt: a counter of user-mode instructions overflows at an exact count, the interrupt comes soon after,
# and its handler clears the pending bit, looks for the counter, sets it again and returns. Counter and mepc must show the same distance.
# exit: the largest distance from overflow to interrupt, instructions
    .include "tests/profile/counting/frame.inc"
    .equ CODE, 1500                         # instructions in user mode
    .equ OF, 1 << 63
    .equ LCOFI, 1 << 13
    la t0, handler
    csrw mtvec, t0
    li s6, 0                                # largest distance
    li s9, 0                                # interrupts
    li s7, 1 << 40                          # first pass: no overflow, but the code is in the instruction cache then
    call pass
    .set checks, checks + 1
    li s0, checks
    bnez s9, fail
    .irp period, 100, 101, 102, 103, 57, 1
    li s7, \period
    call pass
    .endr
    # The last: after each overflow and interrupt, one further instruction is counted at least.
    .set checks, checks + 1
    li s0, checks
    li t0, 3 * (CODE / 200) + CODE / 80 + 50
    bltu s9, t0, fail
    finish_with s6

# Runs the code in user mode with a counter that overflows every s7 instructions.
pass:
    li s8, 0                                # instructions until the next overflow, from the start
    add s8, s8, s7
    li t0, INSTRUCTIONS + MINH              # OF clear: armed
    csrw mhpmevent4, t0
    neg t0, s7
    csrw mhpmcounter4, t0
    li t0, LCOFI
    csrw mie, t0
    csrc mip, t0
    la t0, code
    csrw mepc, t0
    li t0, 0x1800
    csrc mstatus, t0
    start_all
    mret

    .balign 4
handler:
    csrr s1, mcause
    bgez s1, over
    addi s9, s9, 1
    expect s1, (1 << 63) + 13
    li t0, LCOFI                            # before scountovf is read: what overflows later interrupts again
    csrc mip, t0
    csrr s1, SCOUNTOVF
    expect s1, 1 << 4
    csrr s1, mhpmevent4
    expect s1, OF + MINH + INSTRUCTIONS
    # The counter counts on from 0 at the overflow: mepc is that far after it.
    csrr s1, mhpmcounter4
    csrr s2, mepc
    la t0, code
    sub s2, s2, t0
    srli s2, s2, 2                          # instructions that have run
    sub s3, s2, s8
    .set checks, checks + 1
    li s0, checks
    bne s1, s3, fail
    bleu s1, s6, 1f
    mv s6, s1
1:  add s8, s2, s7
    neg t0, s7
    csrw mhpmcounter4, t0
    li t0, INSTRUCTIONS + MINH
    csrw mhpmevent4, t0
    csrr s1, SCOUNTOVF
    expect s1, 0
    li t0, LCOFI
    csrr s1, mip
    and s1, s1, t0
    expect s1, 0
    mret
over:                                       # the ecall at the end of the code: all of it has run
    li t0, 8
    .set checks, checks + 1
    li s0, checks
    bne s1, t0, fail
    csrw mie, zero
    ret

    .balign 64
code:
    .rept CODE                              # independent of each other: they commit as fast as the core can
    nop
    .endr
    ecall
