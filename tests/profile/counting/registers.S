# The registers beside the counters: mcountinhibit stops mcycle and minstret one by one; time follows mcycle; S-mode sees in scountovf
# what mcounteren lets it see; an overflow is pending in mip, and a write of mip loses none that comes with it.
    .include "tests/profile/counting/frame.inc"
    .equ LCOFI, 1 << 13
    .equ TICK, 100                          # cycles of one tick of time
    .macro expect_same register, other
    .set checks, checks + 1
    li s0, checks
    bne \register, \other, fail
    .endm
    .macro expect_less register, other
    .set checks, checks + 1
    li s0, checks
    bgeu \register, \other, fail
    .endm

    la t0, trap
    csrw mtvec, t0
    li t0, 1                                # mcycle alone stands still
    csrw mcountinhibit, t0
    csrr s1, mcycle
    csrr s2, minstret
    csrr s3, minstret
    csrr s4, mcycle
    expect_same s1, s4
    sub s3, s3, s2
    expect s3, 1
    li t0, 4                                # minstret alone
    csrw mcountinhibit, t0
    csrr s1, minstret
    csrr s2, mcycle
    csrr s3, mcycle
    csrr s4, minstret
    expect_same s1, s4
    expect_less s2, s3
    csrr s1, mcountinhibit
    expect s1, 4

    csrw mcountinhibit, zero                # some thousand cycles by both clocks: less than two ticks apart
    csrr s1, time
    csrr s2, mcycle
    li t0, 1000
1:  addi t0, t0, -1
    bnez t0, 1b
    csrr s3, time
    csrr s4, mcycle
    sub s3, s3, s1
    sub s4, s4, s2
    li t0, TICK
    mul s3, s3, t0
    addi s4, s4, TICK * 2
    expect_less s3, s4
    addi s3, s3, TICK * 2
    addi s4, s4, -TICK * 2
    expect_less s4, s3

    .irp counter, 4, 5                      # both overflow
    li t0, -1
    csrw mhpmcounter\counter, t0
    li t0, INSTRUCTIONS
    csrw mhpmevent\counter, t0
    .endr
    nop
    nop
    csrr s1, mip
    li t0, LCOFI
    and s1, s1, t0
    expect_same s1, t0
    csrr s1, SCOUNTOVF
    expect s1, 3 << 4
    li t0, 1 << 5
    csrw mcounteren, t0
    li t0, 1 << 12
    csrc mstatus, t0
    li t0, 1 << 11                          # MPP: S
    csrs mstatus, t0
    la t0, supervisor
    csrw mepc, t0
    mret

    .balign 4
trap:                                       # M-mode again
    expect s1, 1 << 5
    csrw mhpmevent5, zero
    # An overflow of cycles that comes nearer and nearer to a write of mip. Which of the two is first lockstep knows.
    li s7, 60
2:  csrw mhpmevent4, zero
    csrw mip, zero
    not t0, s7
    csrw mhpmcounter4, t0
    li t0, CYCLES
    li t1, LCOFI
    csrw mhpmevent4, t0
    csrc mip, t1
    nop
    csrr s1, mip
    csrr s2, SCOUNTOVF
    addi s7, s7, -1
    bnez s7, 2b
    finish

    .balign 4
supervisor:
    csrr s1, SCOUNTOVF
    ecall
