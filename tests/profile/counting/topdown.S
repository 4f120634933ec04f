# What the slots of dispatch are used for: discarded instructions, redirects and clears to the last one; and recovery, the front end's
# latency and waiting for memory where the program leaves no doubt. How many slots a cycle has is in the counters, too.
# exit-by: core.width
    .include "tests/profile/counting/frame.inc"
    .equ JUMPS, 30
    .equ VAIN, 4
    .equ TRAPS, 13
    .equ LINE, 64
    .macro clear_counts
    .irp i, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13
    csrw mhpmcounter\i, zero
    .endr
    .endm
    .macro expect_at_least register, other  # unsigned
    .set checks, checks + 1
    li s0, checks
    bltu \register, \other, fail
    .endm
    la t0, handler
    csrw mtvec, t0
    select 3, DISPATCHED
    select 4, INSTRUCTIONS
    select 5, FETCH_LATENCY
    select 6, FETCH_BANDWIDTH
    select 7, MEMORY_BOUND
    select 8, RECOVERY_BRANCH
    select 9, RECOVERY_CLEAR
    select 10, BRANCH_REDIRECTS
    select 11, CLEARS
    select 12, FLUSHES
    select 13, DRAINED
    select 14, CYCLES
    select 15, FETCH_LATENCY + MINH         # not in M-mode

    # Code that memory has yet to deliver, with an empty ROB: nearly every Drained cycle is one of all slots.
    j 1f
    .balign LINE
1:  clear_counts
    fence.i                                 # the instruction cache has nothing
    start_all
    .rept 40
    j 2f
    .balign LINE
    .rept 3 * LINE / 4
    nop
    .endr
2:
    .endr
    stop_all
    csrr s1, mhpmcounter13
    csrr s2, mhpmcounter5
    srli t2, s1, 1
    add s2, s2, t2
    divu s11, s2, s1                        # slots a cycle
    expect_count 10, 0                      # direct jumps
    expect_count 7, 0                       # no access
    expect_count 8, 0
    expect_count 15, 0
    csrr s1, mhpmcounter3                   # nothing discarded
    csrr s2, mhpmcounter4
    sub s1, s1, s2
    expect s1, 0

    # Jumps whose target nothing knows. After each the wrong path: a serial instruction, which never dispatches beside another.
    clear_counts
    start_all
    .rept JUMPS
    la t2, 3f
    jr t2
    csrr t3, mhpmcounter14
3:
    .endr
    stop_all
    expect_count 10, JUMPS
    expect_count 7, 0
    csrr s1, mhpmcounter3
    csrr s2, mhpmcounter4
    sub s1, s1, s2
    expect s1, 0
    csrr s1, mhpmcounter8                   # no slot is used in the cycle of a redirect
    li t2, JUMPS
    mul t2, t2, s11
    expect_at_least s1, t2
    csrr s1, mhpmcounter11
    csrr s2, mhpmcounter12
    sub s1, s1, s2                          # what clears, flushes
    expect s1, 0

    # The same with instructions on the wrong path, which have the time of a division to dispatch.
    clear_counts
    li t4, 1
    start_all
    .rept JUMPS
    la t2, 4f
    div t2, t2, t4
    div t2, t2, t4
    jr t2
    .rept VAIN
    nop
    .endr
    csrr t3, mhpmcounter14
4:
    .endr
    stop_all
    expect_count 10, JUMPS
    expect_count 7, 0
    csrr s1, mhpmcounter3
    csrr s2, mhpmcounter4
    sub s1, s1, s2
    expect s1, JUMPS * VAIN

    # Traps and their returns: a clear each. Beside them only what flushes.
    clear_counts
    start_all
    .rept TRAPS
    ecall
    .endr
    stop_all
    csrr s1, mhpmcounter11
    csrr s2, mhpmcounter12
    sub s1, s1, s2
    expect s1, TRAPS
    expect_count 10, 0
    expect_count 8, 0
    csrr s1, mhpmcounter9
    li t2, 2 * TRAPS
    mul t2, t2, s11
    expect_at_least s1, t2

    # A chain of loads that miss: most slots of all cycles wait for memory. The chain is made first.
    li s3, 64
    la t2, chain
5:  li t3, 0x1040
    add t3, t3, t2
    sd t3, 0(t2)
    mv t2, t3
    addi s3, s3, -1
    bnez s3, 5b
    la t2, chain                            # ... and driven out of the cache
    li s3, 4096
    la t3, others
6:  ld t4, 0(t3)
    addi t3, t3, LINE
    addi s3, s3, -1
    bnez s3, 6b
    clear_counts
    csrw mhpmcounter14, zero
    start_all
    .rept 60
    ld t2, 0(t2)
    .endr
    stop_all
    csrr s1, mhpmcounter7
    slli s1, s1, 1
    csrr s2, mhpmcounter14
    mul s2, s2, s11
    expect_at_least s1, s2
    finish_with s11
    .balign 4
handler:
    csrr t0, mepc
    addi t0, t0, 4
    csrw mepc, t0
    mret
    .bss
    .balign 64
chain: .space 0x1040 * 66
others: .space 4096 * LINE
