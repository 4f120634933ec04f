# Start of a program of several harts: each gets a stack, and enters hart_main(hart, device tree). Traps go to a function of C,
# trap_function (0: there is none, and the run ends with status 99).
    .section .text.start, "ax"
    .globl _start
    .type _start, @function
_start:
    .option push
    .option norelax
    la gp, __global_pointer$
    .option pop
    la t0, trap
    csrw mtvec, t0
    csrr a0, mhartid
    la sp, stacks
    addi t1, a0, 1
    slli t1, t1, 12             # 4 KiB each
    add sp, sp, t1
    call hart_main
1:  wfi                         # one that returns waits
    j 1b
    .size _start, . - _start

# Saves what C may change; one level.
    .balign 4
    .type trap, @function
trap:
    addi sp, sp, -144
    .macro each op
    \op ra, 0(sp)
    \op t0, 8(sp)
    \op t1, 16(sp)
    \op t2, 24(sp)
    \op t3, 32(sp)
    \op t4, 40(sp)
    \op t5, 48(sp)
    \op t6, 56(sp)
    \op a0, 64(sp)
    \op a1, 72(sp)
    \op a2, 80(sp)
    \op a3, 88(sp)
    \op a4, 96(sp)
    \op a5, 104(sp)
    \op a6, 112(sp)
    \op a7, 120(sp)
    .endm
    each sd
    csrr a0, mcause
    la t0, trap_function
    ld t0, 0(t0)
    beqz t0, 2f
    jalr t0
    each ld
    addi sp, sp, 144
    mret
2:  li t0, 0x100000             # the test finisher
    li t1, 99 << 16 | 0x3333
    sw t1, 0(t0)
3:  j 3b
    .size trap, . - trap

    .bss
    .balign 4096
stacks: .space 16 * 4096
    .size stacks, . - stacks
