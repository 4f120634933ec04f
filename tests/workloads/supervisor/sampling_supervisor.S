# Sampling by software under the supervisor: machine mode sets the counter off at boot and delegates its interrupt, whose
# handler is the kernel's. What it stores: runtime/sampling.c.
#
# LCOFI is taken in user mode and in the kernel alike: the kernel opens SIE once it has saved what a second trap would
# overwrite, and closes it before it prepares its return (boot.S). The handler itself runs with SIE clear. S-mode cannot
# stop the counter: the handler is sampled like the rest of the kernel. M-mode is not (MINH); it serves the timer, and one
# call of the kernel, which stops the counter.

    .equ TIPOFF_COLLISIONS, 0x7c2
    .equ MTIMECMP, 0x2004000
    .equ MTIME, 0x200bff8
    .equ MTIE, 1 << 7
    .equ LCOFIE, 1 << 13
    .equ SIE, 1 << 1                # sstatus
    .equ ECALL_S, 9                 # mcause
    .equ TIMER, 40                  # in struct sampling_settings (sampling.h)
    .equ TICKS, 40                  # in struct sampling_buffer

    .text
# Machine mode, at boot. sp is a stack.
    .globl sampling_boot
    .type sampling_boot, @function
sampling_boot:
    addi sp, sp, -16
    sd ra, 0(sp)
    la t0, firmware_entry
    csrw mtvec, t0
    la t0, firmware_stack_top
    csrw mscratch, t0
    li t0, LCOFIE
    csrw mideleg, t0
    la t0, sampling_settings
    ld t1, TIMER(t0)
    beqz t1, 1f
    li t2, MTIME
    ld t2, 0(t2)
    add t2, t2, t1
    li t1, MTIMECMP
    sd t2, 0(t1)
    li t0, MTIE
    csrw mie, t0
1:  li a0, 1 << 62                  # MINH
    call sampling_program
    ld ra, 0(sp)
    addi sp, sp, 16
    ret
    .size sampling_boot, . - sampling_boot

# What machine mode does later: the timer's interrupt, and the call that stops the counter.
    .balign 4
    .type firmware_entry, @function
firmware_entry:
    csrrw sp, mscratch, sp
    addi sp, sp, -32
    sd t0, 0(sp)
    sd t1, 8(sp)
    sd t2, 16(sp)
    csrr t0, mcause
    bltz t0, firmware_timer
    li t1, ECALL_S
    bne t0, t1, machine_trap
    ld t0, sampling_inhibit
    csrs mcountinhibit, t0
    csrr a0, TIPOFF_COLLISIONS
    csrr t0, mepc
    addi t0, t0, 4
    csrw mepc, t0
    j firmware_return
firmware_timer:
    la t0, sampling_settings
    ld t0, TIMER(t0)
    li t1, MTIMECMP
    ld t2, 0(t1)
    add t2, t2, t0
    sd t2, 0(t1)
    la t0, sampling_buffer
    ld t1, TICKS(t0)
    addi t1, t1, 1
    sd t1, TICKS(t0)
firmware_return:
    ld t0, 0(sp)
    ld t1, 8(sp)
    ld t2, 16(sp)
    addi sp, sp, 32
    csrrw sp, mscratch, sp
    mret
    .size firmware_entry, . - firmware_entry

    .bss
    .balign 16
    .space 64
firmware_stack_top:

# Supervisor mode.
    .text
    .globl sampling_start
    .type sampling_start, @function
sampling_start:
    addi sp, sp, -16
    sd ra, 0(sp)
    call sampling_take              # brings its code into the caches
    la t0, sampling_vectors
    addi t0, t0, 1                  # vectored
    csrw stvec, t0
    li t0, LCOFIE
    csrw sie, t0
    ld ra, 0(sp)
    addi sp, sp, 16
    csrsi sstatus, SIE
    ret
    .size sampling_start, . - sampling_start

    .globl sampling_stop
    .type sampling_stop, @function
sampling_stop:
    csrci sstatus, SIE
    csrw sie, zero
    ecall
    tail sampling_finish            # a0: triggers lost
    .size sampling_stop, . - sampling_stop

    .option push
    .option norvc
    .balign 64
    .type sampling_vectors, @function
sampling_vectors:                   # one instruction a cause of interrupt; exceptions go to the first
    .rept 13
    j trap_entry
    .endr
    j sampling_entry                # 13: LCOFI
    .size sampling_vectors, . - sampling_vectors
    .option pop

# sscratch holds the frame of the process in user mode, and 0 in the kernel (boot.S).
    .type sampling_entry, @function
sampling_entry:
    csrrw sp, sscratch, sp
    bnez sp, 1f
    csrrw sp, sscratch, sp          # in the kernel: on its stack
    addi sp, sp, -144
    sd t0, 0(sp)
    sd zero, 128(sp)
    j 2f
1:  sd t0, 40(sp)                   # in user mode: t0 to its place in the frame, on the kernel's empty stack
    mv t0, sp
    la sp, __kernel_stack_top
    addi sp, sp, -144
    sd t0, 128(sp)                  # the frame
    csrrw t0, sscratch, zero
    sd t0, 136(sp)                  # the user's sp
2:  sd ra, 8(sp)
    sd t1, 16(sp)
    sd t2, 24(sp)
    sd t3, 32(sp)
    sd t4, 40(sp)
    sd t5, 48(sp)
    sd t6, 56(sp)
    .irp n, 0,1,2,3,4,5,6,7
    sd a\n, 64 + 8 * \n (sp)
    .endr
    call sampling_take
    .irp n, 0,1,2,3,4,5,6,7
    ld a\n, 64 + 8 * \n (sp)
    .endr
    ld ra, 8(sp)
    ld t1, 16(sp)
    ld t2, 24(sp)
    ld t3, 32(sp)
    ld t4, 40(sp)
    ld t5, 48(sp)
    ld t6, 56(sp)
    ld t0, 128(sp)
    bnez t0, 3f
    ld t0, 0(sp)
    addi sp, sp, 144
    sret
3:  csrw sscratch, t0
    ld sp, 136(sp)
    ld t0, 40(t0)
    sret
    .size sampling_entry, . - sampling_entry
