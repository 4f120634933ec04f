# Start of a program that tipoff-cc has built: stack, floating point, traps, then main with the arguments that the host has for it.
    .section .reset, "ax"       # the first word of DRAM: cores start there that take no entry from the program's file
    tail _start

    .section .text.start, "ax"
    .globl _start
    .type _start, @function
_start:
    .option push
    .option norelax
    la gp, __global_pointer$
    .option pop
    la sp, __stack_top
    la tp, __tls_base
    la t0, device_tree
    sd a1, 0(t0)                # where the boot ROM says that it is
    la t0, trap
    csrw mtvec, t0
    csrw mie, zero
    li t0, 0x6000               # mstatus.FS
    csrs mstatus, t0
    csrw fcsr, zero
    call __libc_init_array
    call host_arguments         # argc at a0; argv behind it
    addi a1, a0, 8
    ld a0, 0(a0)
    slli a2, a0, 3
    add a2, a2, a1
    addi a2, a2, 8              # the environment, which is empty
    call main
    tail exit
    .size _start, . - _start

# A trap ends the program: on a stack of its own, for it may be the stack that has overflowed.
    .balign 4
    .type trap, @function
trap:
    mv a3, sp
    la sp, __trap_stack_top
    csrr a0, mcause
    csrr a1, mepc
    csrr a2, mtval
    tail host_trap
    .size trap, . - trap
