# Start of a workload, trap entry and the way into user mode.
#
# Runs on the tipoff machine and on QEMU virt alike (with -cpu rv64,pmp=false: with protection and no entry set up, QEMU
# lets nothing into user mode). Both enter in machine mode: our boot ROM at _start, QEMU at the first word of DRAM.
# mscratch holds the top of the trap stack while the program runs, and 0 while a trap is handled: a trap inside a
# trap cannot be served and ends the run with status 126.

    .section .reset, "ax"
    .globl reset
    .type reset, @function
reset:
    tail _start
    .size reset, . - reset

    .section .text.start, "ax"
    .globl _start
    .type _start, @function
_start:
    .option push
    .option norelax
    la gp, __global_pointer$
    .option pop
    la sp, __stack_top
    la t0, 1f                   # where there is no protection, the first of these traps and that is that
    csrw mtvec, t0
    li t0, -1                   # user mode may access all memory
    csrw pmpaddr0, t0
    csrw scounteren, t0
    li t0, 0x1f
    csrw pmpcfg0, t0
    .balign 4
1:
    la t0, trap_entry
    csrw mtvec, t0
    la t0, __trap_stack_top
    csrw mscratch, t0
    csrw mie, zero
#ifdef __riscv_flen
    li t0, 0x2000               # mstatus.FS: initial
    csrs mstatus, t0
    csrw fcsr, zero
#endif
#ifdef SAMPLED
    call sampling_start
#endif
    call main
    tail runtime_exit
    .size _start, . - _start

# void user_enter(int (*entry)(void)): runs entry in user mode; its result is the exit status. Does not return.
    .text
    .globl user_enter
    .type user_enter, @function
user_enter:
    csrw mepc, a0
    li t0, 0x1800               # MPP: user
    csrc mstatus, t0
    la ra, user_return
    mret
    .size user_enter, . - user_enter

    .type user_return, @function
user_return:
    li a7, 0                    # SYS_EXIT
    ecall
    .size user_return, . - user_return

# Saves x1..x31 and mepc in a struct trap_frame (runtime.h), calls trap_handle(frame, mcause, mtval), restores.
    .balign 4
#ifdef SAMPLED
    .globl trap_entry
#endif
    .type trap_entry, @function
trap_entry:
    csrrw sp, mscratch, sp
    beqz sp, trap_nested
    addi sp, sp, -272
    .irp n, 1,3,4,5,6,7,8,9,10,11,12,13,14,15,16,17,18,19,20,21,22,23,24,25,26,27,28,29,30,31
    sd x\n, 8 * \n (sp)
    .endr
    csrrw t0, mscratch, zero
    sd t0, 16(sp)
    csrr t1, mepc
    sd t1, 256(sp)
    mv a0, sp
    csrr a1, mcause
    csrr a2, mtval
    call trap_handle
    ld t1, 256(sp)
    csrw mepc, t1
    addi t0, sp, 272
    csrw mscratch, t0
    .irp n, 1,3,4,5,6,7,8,9,10,11,12,13,14,15,16,17,18,19,20,21,22,23,24,25,26,27,28,29,30,31
    ld x\n, 8 * \n (sp)
    .endr
    ld sp, 16(sp)
    mret
trap_nested:
    la sp, __trap_stack_top
    li a0, 126
    tail runtime_exit
    .size trap_entry, . - trap_entry
