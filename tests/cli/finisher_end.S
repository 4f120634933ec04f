# Ends by a store of WORD (macro) to the test finisher, whose address the symbol finisher is (--defsym).
    .text
    .globl _start
    .type _start, @function
_start:
    li t0, 0x100000
    li t1, WORD
    sw t1, 0(t0)
1:  j 1b
    .size _start, . - _start
