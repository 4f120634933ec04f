# Branches whose directions are known: T N N T, T N T N, ... in each round, and so what the history says in front of each instruction.
# Loops of 16: the loop's own branch is taken, too. Labels: at_HISTORY, the youngest direction last.
    .include "tests/profile/events/frame.inc"
    li s0, 600
    li t1, 1
    .macro taken
    bnez t1, 1f
    nop
1:
    .endm
    .macro passed
    beqz t1, 1f
1:
    .endm
again:
    taken
    passed
    passed
    taken
at_TNNT:
    addi t2, t2, 1
    taken
    taken
    passed
at_TNNTTTN:
    addi t2, t2, 1
    passed
    passed
    passed
    passed
    taken
at_TNNTTTNNNNNT:
    addi t2, t2, 1
    passed
    taken
    passed
at_TNNTTTNNNNNTNTN:
    addi t2, t2, 1
    addi s0, s0, -1
    bnez s0, again
    finish
