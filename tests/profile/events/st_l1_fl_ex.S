# A timer interrupt is taken on a load that waits for memory: the load runs again later, and shows now what it has met so far.
# (One more miss is the boot code's.) By then its line has come, so the second run meets nothing, and each miss is seen on the interrupted run or not at all.
# event: FL_EX+ST_L1
# count: FL_EX 200
# count: ST_L1 201
# count: ST_LLC 0
    .include "tests/profile/events/frame.inc"
    .equ LOADS, 200
    .equ STEP, 256                       # bytes: nobody prefetches the next
    .equ MSIP, 0x2000000
    .equ MTIMECMP, 0x2004000
    la t0, handler
    csrw mtvec, t0
    li t0, 1 << 7
    csrw mie, t0
    li s1, MSIP
    li s2, MTIMECMP
    la s3, area
    li s0, LOADS
    csrsi mstatus, 8
again:
    sw zero, 0(s1)                       # devices take one store at a time: these put the timer's off, and change nothing
    sw zero, 0(s1)
    sw zero, 0(s1)
    sw zero, 0(s1)
    sd zero, 0(s2)                       # the timer interrupt
blame:
    ld t0, 0(s3)                         # 0
    add s3, s3, t0                       # nobody runs ahead to the next line
    addi s3, s3, STEP
    addi s0, s0, -1
    bnez s0, again
    finish

    .balign 4
handler:
    li t1, -1
    sd t1, 0(s2)
1:  csrr t1, mip
    andi t1, t1, 1 << 7
    bnez t1, 1b
    li t1, 100                           # until the line is present
1:  addi t1, t1, -1
    bnez t1, 1b
    mret

    .bss
    .balign 4096
area: .space LOADS * STEP
