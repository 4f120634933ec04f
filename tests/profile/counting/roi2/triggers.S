# Triggers on addresses (Sdtrig): the hits of an instruction by mode and output, what their registers hold, and a
# counter that interrupts at the Nth hit. On a core with profile.triggers = 4.
# exit: the largest distance from overflow to interrupt, instructions
    .include "tests/profile/counting/frame.inc"
    .equ TRIGGER_0, 48
    .equ TRIGGER_1, 49
    .equ TDATA1, 6 << 60
    .equ OUT0, 8 << 12
    .equ OUT1, 9 << 12
    .equ M_MODE, 1 << 6
    .equ U_MODE, 1 << 3
    .equ EXECUTE, 1 << 2
    .equ LCOFI, 1 << 13
    .equ OF, 1 << 63
    .macro trigger number, where, control
    li t0, \number
    csrw tselect, t0
    la t0, \where
    csrw tdata2, t0
    li t0, \control
    csrw tdata1, t0
    .endm

    # What their registers hold.
    li t0, -1
    csrw tselect, t0
    csrr s1, tselect
    expect s1, 3
    csrr s1, tdata1
    expect s1, TDATA1 + OUT0
    li t0, -1
    csrw tdata1, t0
    csrr s1, tdata1
    expect s1, TDATA1 + OUT1 + M_MODE + (1 << 4) + U_MODE + EXECUTE
    csrw tdata1, zero
    csrr s1, tdata1
    expect s1, TDATA1 + OUT0
    csrr s1, 0x7a4
    expect s1, 0x1000040
    csrw 0x7a4, zero
    csrr s1, 0x7a4
    expect s1, 0x1000040

    # Hits by output: a loop's body 100 times, its first half 37 times; a trigger of another mode, and one that is off.
    trigger 0, body, M_MODE + EXECUTE + OUT0
    trigger 1, half, M_MODE + EXECUTE + OUT1
    trigger 2, body, U_MODE + EXECUTE + OUT1
    trigger 3, half, M_MODE + OUT0
    select 4, TRIGGER_0
    select 5, TRIGGER_1
    start_all
    call loop
    stop_all
    expect_count 4, 100
    expect_count 5, 37
    # Two triggers with the same action on one instruction: a hit each time, not two.
    trigger 2, body, M_MODE + EXECUTE + OUT0
    trigger 3, half, M_MODE + EXECUTE + OUT0
    select 4, TRIGGER_0
    start_all
    call loop
    stop_all
    expect_count 4, 137
    # An instruction that traps is no hit; its second execution is.
    la t0, skip
    csrw mtvec, t0
    trigger 0, faults, M_MODE + EXECUTE + OUT0
    trigger 2, skips, M_MODE + EXECUTE + OUT0
    trigger 3, skips, M_MODE + EXECUTE + OUT0
    select 4, TRIGGER_0
    start_all
    li s2, 3                                # misaligned: 3, 2, 1; then 0 is none
    la s3, tohost + 64
faults_again:
    addi s2, s2, -1
    add s4, s3, s2
faults:
    lr.d s5, (s4)
    bnez s2, faults_again
    stop_all
    expect_count 4, 3                       # two traps' handler, and one load
    # The write that sets a trigger off on itself is none: it commits with the values before it.
    trigger 0, itself, 0
    select 4, TRIGGER_0
    trigger 2, itself, 0
    trigger 3, itself, 0
    csrw tselect, zero
    start_all
    li t0, M_MODE + EXECUTE
itself:
    csrw tdata1, t0
    stop_all
    expect_count 4, 0

    # The Nth hit interrupts, those before it do not; the counter goes on.
    la t0, handler
    csrw mtvec, t0
    trigger 0, code, M_MODE + EXECUTE + OUT0
    trigger 1, code, 0
    trigger 2, code, 0
    trigger 3, code, 0
    li s6, 0                                # largest distance
    .irp count, 1, 2, 5
    li t0, TRIGGER_0
    csrw mhpmevent4, t0
    li t0, -\count
    csrw mhpmcounter4, t0
    csrw mip, zero
    li t0, LCOFI
    csrw mie, t0
    li s8, 0                                # times that the code has begun
    li s9, 0                                # those at the interrupt
    start_all
    csrsi mstatus, 8
    li s7, 8
1:  addi s8, s8, 1
    call code
    addi s7, s7, -1
    bnez s7, 1b
    csrci mstatus, 8
    stop_all
    expect s9, \count
    expect_count 4, 8 - \count
    .endr
    finish_with s6

    .balign 4
loop:
    li t1, 100
    li t2, 37
body:
    addi t1, t1, -1
    bltu t1, t2, half
    j 2f
half:
    nop
2:  bnez t1, body
    ret

    .balign 4
skip:                                       # the instruction is left out
    csrr t1, mepc
    addi t1, t1, 4
    csrw mepc, t1
skips:
    mret

    .balign 4
handler:
    csrw mie, zero
    mv s9, s8
    csrr s1, mepc
    la t0, code
    sub s1, s1, t0
    srli s1, s1, 2                          # instructions from the hit on
    addi s1, s1, -1
    bleu s1, s6, 1f
    mv s6, s1
1:  csrr s1, mcause
    expect s1, OF + 13
    mret

    .balign 64
code:
    .rept 40
    nop
    .endr
    ret
