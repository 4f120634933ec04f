# Each of these instructions executes in a loop of its own that fits the caches: what ProfileMe says of its latency is what
# tables/measured says of it. Chains: operands wait for the instruction before. Test: test_profileme.py latencies.
    .globl _start
    .section .text.init
_start:
    li t0, 0x6000           # mstatus.FS: dirty
    csrs mstatus, t0
    lla s0, buffer
    sd s0, (s0)
    li a1, 3
    fcvt.d.l fa1, a1
    .macro loop name, count, insn:vararg
    li t0, \count
\name\()_loop:
    \insn
    \insn
    \insn
    \insn
    addi t0, t0, -1
    bnez t0, \name\()_loop
    .endm
    loop add, 200, add a0, a0, a1
    loop mul, 200, mul a0, a0, a1
    mv a0, s0
    loop ld, 200, ld a0, (a0)
    loop fadd, 200, fadd.d fa0, fa0, fa1
    loop fmul, 200, fmul.d fa0, fa0, fa1
    loop fmadd, 200, fmadd.d fa0, fa0, fa1, fa1
    li a0, 1
    lla t1, tohost
1:  sd a0, (t1)
    j 1b
    .section .tohost, "aw", @progbits
    .align 6
    .globl tohost
tohost: .dword 0
    .align 6
    .globl fromhost
fromhost: .dword 0
    .data
    .align 3
buffer: .dword 0, 0
