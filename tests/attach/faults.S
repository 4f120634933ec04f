# Misaligned loads, each with younger instructions after it that have entered the scoreboard when it traps: an adapter that shows them
# for longer than one cycle is found out.
    .globl _start, measured, ended
_start:
    li s0, 50
    la t0, handler
    csrw mtvec, t0
    la a0, tohost
measured:
    lw t1, 9(a0)
    addi t2, t2, 1
    addi t3, t3, 1
    addi t4, t4, 1
    addi t5, t5, 1
    addi t6, t6, 1
    addi s0, s0, -1
    bnez s0, measured
ended:
    j finish
    .balign 4
handler:
    csrr a1, mepc
    addi a1, a1, 4
    csrw mepc, a1
    mret
