# Instructions that leave the core in each way there is, at labels that say in which. never_*: what never retires.
    .include "tests/profile/events/frame.inc"
    .include "tests/profile/events/paging.inc"
    .equ MTIMECMP, 0x2004000
    .equ MTIME, 0x200bff8
    la t0, handler
    csrw mtvec, t0
    la s1, area
    li s0, 400
# A function that comes back two instructions further than the return stack predicts.
1:  jal ra, skip
never_misprediction:
    addi t2, t2, 1
    addi t2, t2, 1
never_misprediction_end:
    addi s0, s0, -1
    bnez s0, 1b
# Exceptions: the instruction itself, and what follows it, which the handler leaves out.
    li s0, 400
1:
exception_11:
    ecall
never_exception:
    addi t2, t2, 1
    addi t2, t2, 1
    addi t2, t2, 1
never_exception_end:
exception_3:
    ebreak
    nop
    nop
    nop
exception_2:
    .word 0xffffffff
    nop
    nop
    nop
exception_4:
    lr.w t0, (s3)               # s3 is odd
    nop
    nop
    nop
    la s3, area + 1
    addi s0, s0, -1
    bnez s0, 1b
# What changes the world: all after it begins again.
    li s0, 400
1:
    nop
    nop
    csrw mscratch, s0
    addi t2, t2, 1
    addi t2, t2, 1
    fence.i
behind_flush:
    addi t2, t2, 1
    addi s0, s0, -1
    bnez s0, 1b
# A timer that interrupts all the time, at instructions that wait for a division.
    li s4, MTIMECMP
    li s5, MTIME
    sd zero, 0(s4)
    li t0, 1 << 7
    csrw mie, t0
    li s0, 400
    csrsi mstatus, 8
interrupted:
    div t3, t3, s0
    addi t3, t3, 3
    addi s0, s0, -1
    bnez s0, interrupted
interrupted_end:
    csrci mstatus, 8
# Pages that have never been accessed: a load begins again when the bit is set. Where hardware sets none, the first is a page fault,
# and the handler leaves the loop.
    paging
    la t0, area
    srli t0, t0, 2
    ori t0, t0, PTE_LEAF & ~0x40    # not A
    la t1, window
    li t2, 512
1:  sd t0, 0(t1)
    addi t1, t1, 8
    addi t2, t2, -1
    bnez t2, 1b
    sfence.vma
    translate_loads 1
    li t1, 0
    li t3, 4096
    li s0, 512
page_bit:
    ld t0, 0(t1)
    add t1, t1, t3
    addi s0, s0, -1
    bnez s0, page_bit
    translate_loads 0
    finish
skip:
    addi ra, ra, 8
late_return:
    ret
    .balign 4
handler:
    csrr t5, mcause
    bltz t5, tick
    csrr t5, mepc
    addi t5, t5, 16
    csrw mepc, t5
    mret
tick:
    ld t5, 0(s5)
    addi t5, t5, 1
    sd t5, 0(s4)
    mret
    .bss
    .balign 4096
area: .space 4096
