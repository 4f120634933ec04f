# Known answer: 1024 jumps, each to a line of code that no cache has yet and no prefetcher guesses. While it is fetched the ROB is empty, and
# nobody is to blame: Drained, of the jump that comes.
#: Drained 70..100 % of all
#: Drained at lines..lines_end 98..100 % of Drained
    .globl _start, measured, ended
    .equ LINES, 1024
    .equ STEP, 677  # odd: comes by all of them
_start:
measured:
    j lines
    .balign 64
lines:
    .set i, 0
    .rept LINES
    .if (i + STEP) % LINES
    j lines + 64 * ((i + STEP) % LINES)
    .else
    j ended
    .endif
    .balign 64
    .set i, i + 1
    .endr
lines_end:
    nop
ended:
    j finish
