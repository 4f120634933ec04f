# Known answer: system calls. An ecall raises an exception when it is the oldest, or commits and flushes; either way what follows is the
# ecall's, and what follows mret is mret's. All Flushed time is theirs, and of the two CSR accesses in between.
# Drained time there is where CSR accesses dispatch into an empty ROB only, and while the caches are cold.
#: Flushed 25..95 % of all
#: Flushed at call..call_end 8..90 % of Flushed
#: Flushed at back..back_end 8..90 % of Flushed
#: Flushed at call..handler_end 98..100 % of Flushed
#: Drained 0..20 % of all
    .globl _start, measured, ended
_start:
    li s0, 300
    la t0, handler
    csrw mtvec, t0
    j measured
    .balign 64
measured:
    addi t0, t0, 1
    addi t1, t1, 1
call:
    ecall
call_end:
    addi s0, s0, -1
    bnez s0, measured
    j ended
    .balign 4
handler:
    csrr t2, mepc
    addi t2, t2, 4
    csrw mepc, t2
back:
    mret
back_end:
handler_end:
    nop
ended:
    j finish
