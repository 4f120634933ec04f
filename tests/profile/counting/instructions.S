# Instructions, to the last one: straight, in loops, while traps come and go, and by privilege mode.
    .include "tests/profile/counting/frame.inc"
    select 3, INSTRUCTIONS
    select 4, INSTRUCTIONS + MINH
    select 5, INSTRUCTIONS + UINH
    select 6, INSTRUCTIONS + SINH
    select 7, 0

    start_all
    stop_all
    expect_count 3, 1                       # the write that stops
    expect_count 4, 0
    expect_count 5, 1
    expect_count 6, 1
    expect_count 7, 0

    csrw mhpmcounter3, zero
    start_all
    .rept 100
    addi t2, t2, 1
    .endr
    stop_all
    expect_count 3, 101

    csrw mhpmcounter3, zero
    li t2, 77
    start_all
1:  mul t3, t2, t2                          # 77 turns of 4
    ld t3, tohost_copy
    addi t2, t2, -1
    bnez t2, 1b
    stop_all
    expect_count 3, 77 * 5 + 1              # ld from a symbol is two instructions

    # minstret counts the same.
    csrw mhpmcounter3, zero
    csrw minstret, zero
    start_all
    div t3, t2, t2
    .rept 17
    nop
    .endr
    fence
    stop_all
    csrr t0, minstret
    expect t0, 20
    expect_count 3, 20

    # Started and stopped by its selector, and by reading while it runs.
    li t2, INSTRUCTIONS
    csrw mhpmevent3, zero
    start_all
    csrw mhpmcounter3, zero
    csrw mhpmevent3, t2                     # not counted: the old selector holds until it has left
    .rept 9
    nop
    .endr
    csrr t3, mhpmcounter3                   # reads before it is counted
    csrw mhpmevent3, zero                   # counted
    nop
    nop
    stop_all
    expect t3, 9
    expect_count 3, 11

    # A write to the counter wins over the count of its own instruction.
    csrw mhpmevent3, t2
    li t3, 1000
    start_all
    nop
    csrw mhpmcounter3, t3
    nop
    stop_all
    expect_count 3, 1002

    # By mode: 50 instructions and an ecall, which does not commit, in user mode. Around it, in machine mode, the mret that
    # goes there, the handler, and the write that stops.
    la t0, handler
    csrw mtvec, t0
    la t0, user
    csrw mepc, t0
    li t0, 0x1800
    csrc mstatus, t0
    csrw mhpmcounter3, zero
    csrw mhpmcounter4, zero
    csrw mhpmcounter5, zero
    csrw mhpmcounter6, zero
    start_all
    mret
user:
    .rept 50
    addi t2, t2, 1
    .endr
    ecall
    .balign 4
handler:
    nop
    nop
    stop_all
    expect_count 3, 1 + 50 + 3
    expect_count 4, 50                      # MINH
    expect_count 5, 1 + 3                   # UINH
    expect_count 6, 1 + 50 + 3              # SINH: nothing is in S-mode
    finish
    .section .rodata
    .balign 8
tohost_copy: .dword 0
