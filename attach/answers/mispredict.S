# Known answer: a branch on a random bit. Half of its 1500 executions are mispredicted, by any predictor; the cycles in which the ROB is
# empty after it are the branch's, as Flushed. An adapter without `mispredict` has them as Drained, of what comes next.
#: Flushed 2..60 % of all
#: Flushed at toss..toss_end 95..100 % of Flushed
#: Drained 0..5 % of all
    .globl _start, measured, ended
_start:
    li s0, 1500
    li a0, 88172645463325252
measured:
    slli t0, a0, 13
    xor a0, a0, t0
    srli t0, a0, 7
    xor a0, a0, t0
    slli t0, a0, 17
    xor a0, a0, t0
    andi t0, a0, 1
toss:
    beqz t0, 1f
toss_end:
    addi t1, t1, 1
    addi t1, t1, 1
    addi t1, t1, 1
1:
    addi s0, s0, -1
    bnez s0, measured
ended:
    j finish
