# Every cycle is in exactly one commit state: whatever runs, the four counts make up the cycles, and mcycle says the same.
    .include "tests/profile/counting/frame.inc"
    la t0, handler
    csrw mtvec, t0
    select 3, CYCLES
    select 4, COMPUTING
    select 5, STALLED
    select 6, FLUSHED
    select 7, DRAINED
    csrw mcycle, zero
    la s1, area
    li s2, 88172645463325252
    li s3, 300
    start_all
again:
    slli t2, s2, 13                         # a random sequence
    xor s2, s2, t2
    srli t2, s2, 7
    xor s2, s2, t2
    slli t2, s2, 17
    xor s2, s2, t2
    andi t2, s2, 64
    beqz t2, 1f
    ecall
1:  andi t2, s2, 0x7c0
    add t2, t2, s1
    ld t3, 0(t2)
    addi s1, s1, 64
    div t3, t3, s2
    sd t3, 0(t2)
    addi s3, s3, -1
    bnez s3, again
    stop_all
    csrr s4, mcycle
    csrr s5, mhpmcounter3
    csrr t2, mhpmcounter4
    csrr t3, mhpmcounter5
    csrr t4, mhpmcounter6
    csrr t5, mhpmcounter7
    sub s4, s4, s5
    expect s4, 0
    sub s5, s5, t2
    sub s5, s5, t3
    sub s5, s5, t4
    sub s5, s5, t5
    expect s5, 0
    # Each of the three that this provokes appears.
    sltiu s5, t2, 300
    expect s5, 0
    sltiu s5, t3, 300
    expect s5, 0
    sltiu s5, t4, 300
    expect s5, 0
    finish
    .balign 4
handler:
    csrr t0, mepc
    addi t0, t0, 4
    csrw mepc, t0
    mret
    .bss
    .balign 64
area: .space 300 * 64 + 0x1000
