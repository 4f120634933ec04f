# What S-mode sees of a sample of M-mode: that one was taken, when, in which state, for how many triggers; no address, no vector.
# M-mode samples a load that misses, which gives it something to hide, reads the sample, and goes to S-mode, which reads
# it again, acknowledges it, and samples itself: that one it sees whole, as does M-mode.
    .include "tests/profile/counting/frame.inc"
    .equ SHPMSPC, 0x5c0
    .equ SHPMSDATA, 0x5c1
    .equ ADDR0, 0x5d0
    .equ PSV0, 0x5d8
    .equ PSV1, 0x5d9
    .equ CYCLE, 0x5da
    .equ REPEAT, 0x5db
    .equ SPACE, 0x5dc
    .equ COLLISIONS, 0x7c2
    .equ READY, 1 << 22
    .equ MODE_SHIFT, 23
    .equ VECTORS_FROM, 28
    .equ STEP, 0x1040                       # another line and another set each time

    # The sampling counter is the third here or the 31st: both are set, one of them samples.
    .macro arm distance
    li t0, -(\distance)
    csrw mhpmcounter3, t0
    csrw mhpmcounter31, t0
    .endm
    # Clears nothing: waits for a sample, with loads that miss; its shpmsdata is in s1.
    .macro wait_for_sample
8:  add s11, s11, s9
    ld t0, 0(s11)
    add t0, t0, s11                         # the load's user waits for it
    csrr s1, SHPMSDATA
    srli t1, s1, 22
    andi t1, t1, 1
    beqz t1, 8b
    .endm
    .macro expect_same register, other
    .set checks, checks + 1
    li s0, checks
    bne \register, \other, fail
    .endm
    .macro expect_not_zero register
    .set checks, checks + 1
    li s0, checks
    beqz \register, fail
    .endm

    la t0, trap
    csrw mtvec, t0
    la s11, tohost                          # somewhere in memory
    li s9, STEP
    li t0, CYCLES
    csrw mhpmevent3, t0
    csrw mhpmevent31, t0
    li s8, 50                               # samples that may come to nothing
1:  arm 170
    csrw mcountinhibit, zero
    wait_for_sample
    csrw mcountinhibit, s10                 # nothing changes from here on
    srli t0, s1, VECTORS_FROM
    bnez t0, 2f
    csrw SHPMSDATA, zero                    # no event: another
    addi s8, s8, -1
    bnez s8, 1b
    .set checks, checks + 1
    li s0, checks
    j fail
    # M-mode sees all of it.
2:  srli t0, s1, MODE_SHIFT
    andi t0, t0, 3
    expect t0, 3
    csrr s2, SHPMSPC
    expect_not_zero s2
    csrr s3, PSV0
    csrr t0, PSV1
    or s3, s3, t0
    expect_not_zero s3
    csrr s4, CYCLE
    expect_not_zero s4
    csrr s5, REPEAT
    csrr s6, ADDR0
    .irp n, 1,2,3,4,5,6,7
    csrr t0, ADDR0 + \n
    or s6, s6, t0
    .endr
    expect_not_zero s6
    csrr t0, SHPMSDATA                      # reading has changed nothing
    expect_same t0, s1
    li s8, 0                                # calls from S-mode
    li t0, 1 << 11                          # MPP: S
    csrs mstatus, t0
    li t0, 1 << 12
    csrc mstatus, t0
    la t0, supervisor
    csrw mepc, t0
    mret

supervisor:
    csrr s7, SHPMSDATA
    li t0, VECTORS_FROM                     # the same but for the vectors
    li t1, 64 - VECTORS_FROM
    sll s2, s1, t1
    srl s2, s2, t1
    expect_same s7, s2
    .irp csr, SHPMSPC, PSV0, PSV1, SPACE
    csrr t0, \csr
    expect t0, 0
    .endr
    .irp n, 0,1,2,3,4,5,6,7
    csrr t0, ADDR0 + \n
    expect t0, 0
    .endr
    csrr t0, CYCLE
    expect_same t0, s4
    csrr t0, REPEAT
    expect_same t0, s5
    csrw SHPMSDATA, zero                    # S-mode acknowledges
    csrr t0, SHPMSDATA
    srli t0, t0, 22
    andi t0, t0, 1
    expect t0, 0
    ecall                                   # M-mode sets the counters off again
    wait_for_sample
    srli t0, s1, MODE_SHIFT
    andi t0, t0, 3
    expect t0, 1
    csrr s2, SHPMSPC
    la t0, supervisor
    .set checks, checks + 1
    li s0, checks
    bltu s2, t0, fail
    csrr s3, SHPMSDATA
    expect_same s3, s1
    csrr s3, CYCLE
    .set checks, checks + 1
    li s0, checks
    bleu s3, s4, fail
    ecall                                   # does not come back

    .balign 4
trap:
    csrr t0, mcause
    expect t0, 9
    csrr t1, mepc
    addi t1, t1, 4
    csrw mepc, t1
    addi s8, s8, 1
    li t0, 1
    bne s8, t0, 2f
    # The first call: M-mode is not counted now, what it does before its mret is not sampled.
    li t0, MINH + CYCLES
    csrw mhpmevent3, t0
    csrw mhpmevent31, t0
    arm 700
    csrw mcountinhibit, zero
    mret
2:  csrw mcountinhibit, s10
    csrr t0, SHPMSDATA                      # M-mode sees it, too
    expect_same t0, s1
    csrr t0, SHPMSPC
    expect_same t0, s2
    csrr t0, COLLISIONS
    expect t0, 0
    finish
