# Known answer: writes of mstatus, after which a core refetches. The cycles until the next instruction enters are the write's, as
# Flushed. An adapter without `flush` has them as Drained; some there is on a core that dispatches such instructions into an empty ROB
# only, and while the caches are cold.
#: Flushed 25..90 % of all
#: Flushed at write..write_end 95..100 % of Flushed
#: Drained 0..15 % of all
    .globl _start, measured, ended
_start:
    li s0, 400
    csrr s1, mstatus
measured:
write:
    csrw mstatus, s1
write_end:
    addi t0, t0, 1
    addi t1, t1, 1
    addi s0, s0, -1
    bnez s0, measured
ended:
    j finish
