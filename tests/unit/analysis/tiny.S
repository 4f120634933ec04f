# The program of the analysis and report tests. Its addresses and lines are expected values there: keep them.
    .text
    .option norvc
    .option norelax
    .globl _start
    .type _start, @function
_start:
    addi a0, zero, 5            # 0x80000000
loop:
    addi a0, a0, -1             # 0x80000004
    bne a0, zero, loop          # 0x80000008
    jal ra, leaf                # 0x8000000c
    ecall                       # 0x80000010
    jal zero, .                 # 0x80000014
    .size _start, . - _start
    addi zero, zero, 0          # 0x80000018: no symbol covers it
    .type leaf, @function
leaf:
    .option rvc
    c.addi a1, 1                # 0x8000001c
    c.beqz a1, 1f               # 0x8000001e
    c.li a2, 3                  # 0x80000020
1:  c.jr ra                     # 0x80000022
    .size leaf, . - leaf
