# Each hart wakes the next one by msip and prints its number, three times round; then hart 0 ends the run with status 7.
# HARTS (macro): how many there are. They share no memory, only devices: no cache has to be coherent.
    .text
    .globl _start
_start:
    csrr s0, mhartid
    li s1, 0x2000000            # CLINT
    csrwi mie, 8                # MSIE
    slli t0, s0, 2
    add s2, s1, t0              # own msip
    li t1, HARTS
    addi t2, s0, 1
    bne t2, t1, 1f
    li t2, 0
1:  slli t2, t2, 2
    add s3, s1, t2              # the next hart's
    li s4, 3                    # rounds
    bnez s0, wait
loop:
    li t0, 1
    sw t0, 0(s3)
wait:
    wfi
    lw t0, 0(s2)
    beqz t0, wait
    sw zero, 0(s2)
    fence
    li a1, 0x10000000
    li t0, '0'
    add t0, t0, s0
    sb t0, 0(a1)
    addi s4, s4, -1
    bnez s0, pass
    bnez s4, loop
    li a1, 0x100000
    li a0, 7 << 16 | 0x3333
    sw a0, 0(a1)
    j .
pass:
    li t0, 1
    sw t0, 0(s3)
    j wait
