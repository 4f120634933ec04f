# Known answer: independent additions. Each cycle commits something; how many is the core's width.
#: Computing 90..100 % of all
    .globl _start, measured, ended
_start:
    li s0, 400
measured:
    .rept 16
    addi t0, t0, 1
    addi t1, t1, 1
    addi t2, t2, 1
    addi t3, t3, 1
    .endr
    addi s0, s0, -1
    bnez s0, measured
ended:
    j finish
