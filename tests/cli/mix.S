# Executions known by hand: a loop of 10 rounds with another of 3 in it, 30 calls, 10 system calls.
    .option norvc
    .option norelax
    .globl _start
_start:
    la sp, stack_end            # auipc, addi
    la t0, handler              # auipc, addi
    csrw mtvec, t0              # csrrw
    li s0, 10                   # addi
outer:
    li s1, 3                    # 10 addi
inner:
    jal ra, leaf                # 30 jal
    addi s1, s1, -1             # 30 addi
    bnez s1, inner              # 30 bne
    ecall                       # 10 ecall
    addi s0, s0, -1             # 10 addi
    bnez s0, outer              # 10 bne
    la t0, tohost               # auipc, addi
    li t1, 1                    # addi
    sd t1, 0(t0)                # sd
1:  j 1b
leaf:
    div t2, s0, s1              # 30 div
    sb t2, -8(sp)               # 30 sb
    ret                         # 30 jalr
    .balign 4
handler:
    csrr t2, mepc               # 10 csrrs
    addi t2, t2, 4              # 10 addi
    csrw mepc, t2               # 10 csrrw
    mret                        # 10 mret
    .section .bss
    .balign 16
    .skip 256
stack_end:
    .section .tohost, "aw"
    .balign 8
    .globl tohost
tohost: .dword 0
