# Hart 1 writes an instruction; hart 0 fetches it from there, and then loads it. What a fetch takes from another hart's cache, or from
# its write-back buffer, stays there: the load has the same word. Hart 1 drives the line out some cycles later.
    .text
    .globl _start
_start:
    csrr s0, mhartid
    la s1, code
    la s2, flag
    la s3, apart
    li s4, 4096
    add s4, s4, s3
    li s6, 100              # rounds
    li s7, 0
    la s9, made
    bnez s0, writes
fetches:
    addi s7, s7, 1
1:  lw t0, (s2)
    bne t0, s7, 1b
    fence r, rw
    fence.i
    jalr ra, (s1)
    bne a0, s7, wrong
    lw t1, (s1)
    srli t1, t1, 20
    bne t1, s7, wrong
    fence rw, w
    sw s7, (s9)
    bne s7, s6, fetches
    li a0, 0x5555
1:  li a1, 0x100000
    sw a0, 0(a1)
    j .
wrong:
    li a0, 0x13333
    j 1b
writes:
    addi s7, s7, 1
    slli t0, s7, 20
    ori t0, t0, 0x513       # li a0, round
    sw t0, (s1)
    fence w, w
    sw s7, (s2)
    fence
    mv t2, s7
2:  addi t2, t2, -1
    bgez t2, 2b
    ld t1, (s3)
    ld t1, (s4)
    ld t1, (s3)
3:  lw t1, (s9)
    bne t1, s7, 3b
    fence
    bne s7, s6, writes
    j .
    .align 12
code:
    li a0, 0
    ret
    .bss
    .align 12
apart: .space 8192          # lines of the code's set
    .space 64
flag: .space 64
made: .space 64
