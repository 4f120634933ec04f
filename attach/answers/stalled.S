# Known answer: a chain of quotients, each of 64 bits and needed by the next. The oldest instruction is always a division that is not
# finished: nothing of it overlaps, on any core.
#: Stalled 80..100 % of all
#: Stalled at chain..chain_end 98..100 % of Stalled
    .globl _start, measured, ended
_start:
    li s0, 100
    li a1, 1
    li a0, -2
measured:
chain:
    .rept 8
    divu a0, a0, a1
    .endr
chain_end:
    addi s0, s0, -1
    bnez s0, measured
ended:
    j finish
