# Start of a workload under the supervisor: machine mode hands over to supervisor mode; trap entry and return to user mode.
#
# Machine mode opens physical memory, delegates the user's page faults and system calls and is not seen again: whatever
# still traps there ends the run with status 124.
# sscratch holds the frame of the process that runs (its registers go there), and 0 while the kernel runs: a trap inside
# the kernel ends the run with status 125.

    .equ PMP_ALL, 0x1f          # NAPOT, RWX: with pmpaddr0 = -1, all of memory
    .equ DELEGATED, 1 << 8 | 1 << 12 | 1 << 13 | 1 << 15
    .equ MSTATUS_MPP, 3 << 11
    .equ MSTATUS_TO_S, 1 << 11 | 1 << 13  # MPP = S; FS = initial

    .section .text.start, "ax"
    .globl _start
    .type _start, @function
_start:
    la t0, 1f                   # a machine without protection has nothing to open
    csrw mtvec, t0
    li t0, -1
    csrw pmpaddr0, t0
    li t0, PMP_ALL
    csrw pmpcfg0, t0
    .balign 4
1:  la t0, machine_trap
    csrw mtvec, t0
    li t0, DELEGATED
    csrw medeleg, t0
    csrw mideleg, zero
    csrw mie, zero
    csrw satp, zero
#ifdef SAMPLED
    la sp, __kernel_stack_top
    call sampling_boot
#endif
    li t0, MSTATUS_MPP
    csrc mstatus, t0
    li t0, MSTATUS_TO_S
    csrs mstatus, t0
    la t0, supervisor_start
    csrw mepc, t0
    mret
    .size _start, . - _start

    .balign 4
#ifdef SAMPLED
    .globl machine_trap
#endif
    .type machine_trap, @function
machine_trap:
    li t0, 124 << 1 | 1
    la t1, tohost
    sd t0, 0(t1)
2:  wfi
    j 2b
    .size machine_trap, . - machine_trap

    .text
    .type supervisor_start, @function
supervisor_start:
    la sp, __kernel_stack_top
    la t0, trap_entry
    csrw stvec, t0
    csrw sscratch, zero
    csrw sie, zero
#ifdef SAMPLED
    call sampling_start
#endif
    call kernel_main
    .size supervisor_start, . - supervisor_start    # falls through

# a0: struct trap_frame of the process to go on with.
    .type user_resume, @function
user_resume:
#ifdef SAMPLED
    csrci sstatus, 2            # SIE: no second trap while sepc is this one's
#endif
    ld t0, 256(a0)
    csrw sepc, t0
    csrw sscratch, a0
    .irp n, 1,2,3,4,5,6,7,8,9,11,12,13,14,15,16,17,18,19,20,21,22,23,24,25,26,27,28,29,30,31
    ld x\n, 8 * \n (a0)
    .endr
    ld a0, 80(a0)
    sret
    .size user_resume, . - user_resume

    .balign 4
#ifdef SAMPLED
    .globl trap_entry
#endif
    .type trap_entry, @function
trap_entry:
    csrrw a0, sscratch, a0
    beqz a0, trap_in_kernel
    .irp n, 1,2,3,4,5,6,7,8,9,11,12,13,14,15,16,17,18,19,20,21,22,23,24,25,26,27,28,29,30,31
    sd x\n, 8 * \n (a0)
    .endr
    csrrw t0, sscratch, zero
    sd t0, 80(a0)
    csrr t0, sepc
    sd t0, 256(a0)
    csrr a1, scause
    csrr a2, stval
    la sp, __kernel_stack_top
#ifdef SAMPLED
    csrsi sstatus, 2            # SIE: what a second trap would overwrite is saved
#endif
    call kernel_trap
    j user_resume
trap_in_kernel:
    la sp, __kernel_stack_top
    la t0, machine_trap         # and a trap while that one is reported
    csrw stvec, t0
    csrr a0, scause
    csrr a1, stval
    csrr a2, sepc
    tail kernel_fault
    .size trap_entry, . - trap_entry

# Floating-point registers of a process. The kernel itself is compiled without them.
    .option push
    .option arch, +f, +d
    .globl fp_save
    .type fp_save, @function
fp_save:
    .irp n, 0,1,2,3,4,5,6,7,8,9,10,11,12,13,14,15,16,17,18,19,20,21,22,23,24,25,26,27,28,29,30,31
    fsd f\n, 8 * \n (a0)
    .endr
    frcsr t0
    sd t0, 256(a0)
    ret
    .size fp_save, . - fp_save

    .globl fp_restore
    .type fp_restore, @function
fp_restore:
    .irp n, 0,1,2,3,4,5,6,7,8,9,10,11,12,13,14,15,16,17,18,19,20,21,22,23,24,25,26,27,28,29,30,31
    fld f\n, 8 * \n (a0)
    .endr
    ld t0, 256(a0)
    fscsr t0
    ret
    .size fp_restore, . - fp_restore
    .option pop
