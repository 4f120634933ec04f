# The timer interrupts a loop of divisions every 2,000 cycles. Exit code 0: the handler's count in memory is the one in its register, and some;
# and from one interrupt to the next there were LONGEST ticks at most.
    .equ MTIME, 0x200bff8
    .equ MTIMECMP, 0x2004000
    .equ LONGEST, 200
    .text
    .globl _start
    .type _start, @function
_start:
    la t0, tick
    csrw mtvec, t0
    li s2, MTIME
    li s3, MTIMECMP
    la s4, count
    ld t0, 0(s2)
    mv s6, t0
    addi t0, t0, 20
    sd t0, 0(s3)
    li t0, 0x80 # MTIE
    csrw mie, t0
    csrsi mstatus, 8
    la s5, 1f # a restored core gets into the loop by a jump from a register near it
    li s0, ROUNDS
    li a0, 1
    li a1, 0x5851f42d4c957f2d
1:  mul a0, a0, a1
    divu t5, a1, a0
    xor a0, a0, t5
    addi a0, a0, 13
    addi s0, s0, -1
    bnez s0, 1b
    csrci mstatus, 8
    ld t0, 0(s4)
    li t1, 3 # exit code 1
    bne t0, s1, 2f
    li t2, 5
    blt s1, t2, 2f
    li t2, LONGEST
    bgtu s7, t2, 2f
    li t1, 1
2:  la t0, tohost
    sd t1, 0(t0)
3:  j 3b
    .size _start, . - _start
    .balign 4
    .type tick, @function
tick:
    addi s1, s1, 1
    ld t3, 0(s4)
    addi t3, t3, 1
    sd t3, 0(s4)
    ld t3, 0(s2)
    sub t4, t3, s6
    mv s6, t3
    bleu t4, s7, 4f
    mv s7, t4 # the longest so far
4:  addi t3, t3, 20
    sd t3, 0(s3)
    mret
    .size tick, . - tick
    .data
    .balign 8
count: .dword 0
    .size count, 8
    .section .tohost, "aw", @progbits
    .balign 64
    .globl tohost
tohost: .dword 0
    .size tohost, 8
