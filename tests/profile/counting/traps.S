# Exceptions and interrupts, each counted once, and the vectors' bit for both.
    .include "tests/profile/counting/frame.inc"
    .equ MSIP, 0x2000000
    la t0, handler
    csrw mtvec, t0
    select 3, EXCEPTIONS
    select 4, INTERRUPTS
    select 5, FL_EX
    select 6, FL_MO
    select 7, EXCEPTIONS + MINH             # counted in the mode they come from
    li s1, MSIP
    li s2, 0                                # interrupts taken
    li t2, 8
    csrw mie, t2
    start_all
    .rept 13
    ecall
    .endr
    .rept 5
    ebreak
    .endr
    .rept 4
    .word 0xffffffff
    .endr
    .rept 3
    lw t3, 1(s1)                            # misaligned
    .endr
    ld t3, 0(zero)                          # nothing there
    stop_all
    expect_count 3, 26
    expect_count 4, 0
    expect_count 5, 26
    expect_count 6, 0
    expect_count 7, 0

    # Software interrupts, one after the other.
    li s3, 9
    csrsi mstatus, 8
    start_all
again:
    li t3, 1
    addi s4, s2, 1
    sw t3, 0(s1)
1:  bne s2, s4, 1b
    addi s3, s3, -1
    bnez s3, again
    stop_all
    csrci mstatus, 8
    expect_count 3, 26
    expect_count 4, 9
    expect_count 5, 35

    # From user mode.
    la t0, user
    csrw mepc, t0
    li t0, 0x1800
    csrc mstatus, t0
    start_all
    mret
user:
    .rept 6
    ecall
    .endr
    .word 0xffffffff
    la t3, over                             # where the handler is to stop
    ecall
over:
    expect_count 3, 26 + 8
    expect_count 7, 8
    finish

    .balign 4
handler:                                    # steps over an exception, answers an interrupt
    csrr t0, mcause
    bltz t0, interrupt
    csrr t0, mepc
    addi t0, t0, 4
    csrw mepc, t0
    bne t0, t3, 1f
    stop_all
    li t1, 0x1800                           # back to machine mode
    csrs mstatus, t1
1:  mret
interrupt:
    sw zero, 0(s1)
1:  csrr t0, mip
    andi t0, t0, 8
    bnez t0, 1b
    addi s2, s2, 1
    mret
