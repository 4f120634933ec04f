# Sampling by software in machine mode: vectors, the two interrupts, start and end. What it stores: sampling.c.
#
# mscratch holds the top of the trap stack while the program runs (crt0.S), and interrupts are off while a trap is handled:
# neither handler is nested in anything. The counter stands still from the handler's first instructions to its last:
# what is sampled is the program.

    .equ MTIMECMP, 0x2004000
    .equ MTIME, 0x200bff8
    .equ MIE, 1 << 3                # mstatus
    .equ MTIE_LCOFIE, 1 << 7 | 1 << 13
    .equ TIPOFF_COLLISIONS, 0x7c2
    .equ TIMER, 40                  # in struct sampling_settings (sampling.h)
    .equ TICKS, 40                  # in struct sampling_buffer

    .text
    .option push
    .option norvc
    .balign 64
    .type sampling_vectors, @function
sampling_vectors:                   # one instruction a cause of interrupt; exceptions go to the first
    .rept 7
    j trap_entry
    .endr
    j timer_entry                   # 7: MTI
    .rept 5
    j trap_entry
    .endr
    j sampling_entry                # 13: LCOFI
    .size sampling_vectors, . - sampling_vectors
    .option pop

    .type sampling_entry, @function
sampling_entry:
    csrrw sp, mscratch, sp
    addi sp, sp, -128
    sd t0, 0(sp)
    ld t0, sampling_inhibit
    csrs mcountinhibit, t0
    sd ra, 8(sp)
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
    ld t0, sampling_inhibit
    csrc mcountinhibit, t0
    ld t0, 0(sp)
    addi sp, sp, 128
    csrrw sp, mscratch, sp
    mret
    .size sampling_entry, . - sampling_entry

# The timer's next interrupt is a fixed distance from this one.
    .type timer_entry, @function
timer_entry:
    csrrw sp, mscratch, sp
    addi sp, sp, -32
    sd t0, 0(sp)
    sd t1, 8(sp)
    sd t2, 16(sp)
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
    ld t0, 0(sp)
    ld t1, 8(sp)
    ld t2, 16(sp)
    addi sp, sp, 32
    csrrw sp, mscratch, sp
    mret
    .size timer_entry, . - timer_entry

    .globl sampling_start
    .type sampling_start, @function
sampling_start:
    addi sp, sp, -16
    sd ra, 0(sp)
    call sampling_take              # brings its code into the caches
    la t0, sampling_vectors
    addi t0, t0, 1                  # vectored
    csrw mtvec, t0
    la t0, sampling_settings
    ld t1, TIMER(t0)
    beqz t1, 1f
    li t2, MTIME
    ld t2, 0(t2)
    add t2, t2, t1
    li t1, MTIMECMP
    sd t2, 0(t1)
1:  li a0, 0                        # all modes are sampled
    call sampling_program
    li t0, MTIE_LCOFIE
    csrw mie, t0
    ld ra, 0(sp)
    addi sp, sp, 16
    csrsi mstatus, MIE
    ret
    .size sampling_start, . - sampling_start

    .globl sampling_stop
    .type sampling_stop, @function
sampling_stop:
    csrci mstatus, MIE
    csrw mie, zero
    ld t0, sampling_inhibit
    csrs mcountinhibit, t0
    csrr a0, TIPOFF_COLLISIONS
    tail sampling_finish
    .size sampling_stop, . - sampling_stop
