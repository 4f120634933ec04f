# Start of a program that tipoff-cc has built: stack, floating point, traps, then main with the arguments that the host has for it.
#ifdef __TIPOFF_HARTS
# Takes the guard that begins at the address in \lowest, which is lost with t0 and mtvec, from this hart until it is reset: by the last
# of eight regions of physical memory protection, so that a program may have its own before it. A hart without has no guard.
    .macro guard lowest
    la t0, 9f
    csrw mtvec, t0
    srli \lowest, \lowest, 2
    lui t0, %hi(__stack_guard_ones)
    addi t0, t0, %lo(__stack_guard_ones)
    or \lowest, \lowest, t0     # NAPOT
    csrw pmpaddr7, \lowest
    li t0, 0x98 << 56           # locked, for nothing
    csrs pmpcfg0, t0
    .balign 4
9:
    .endm
#endif

    .section .reset, "awx"      # the first word of DRAM: cores start there that take no entry from the program's file
    tail _start

# The program's entry. Of several harts the first to come goes on to main. The others call tipoff_hart_main(their number), if the
# program has such a function, each on a stack and with thread-local data of its own; then, or without one, they wait forever.
# All of it is in this section: what programs of one hart consist of stands where it would without it.
    .balign 4
    .globl __entry
    .type __entry, @function
__entry:
    la t0, harts_come
    li t1, 1
    amoadd.w s0, t1, (t0)
    bnez s0, 1f
#ifdef __TIPOFF_HARTS
    la t1, __stack_guard
    guard t1
#endif
    tail _start
    .weak tipoff_hart_main
1:  ld s1, hart_main
    beqz s1, 4f
    li t0, 16                   # number of stacks, and main's
    bgeu s0, t0, 4f
    .option push
    .option norelax
    la gp, __global_pointer$
    .option pop
    ld t0, hart_stack           # its end, in the order in which harts come; its guard is at its beginning
    mul t1, t0, s0
    la sp, __stack_bottom
    add sp, sp, t1
#ifdef __TIPOFF_HARTS
    sub t1, sp, t0
    guard t1
#endif
    la t0, trap
    csrw mtvec, t0
    la t0, __tls_base           # thread-local data at the stack's end: what the file has of it, and zeroes
    la t1, __tls_data_end
    ld t2, tls_bytes
    ld t3, tls_alignment        # as far from a multiple of it as what the linker laid out
    neg t3, t3
    sub tp, sp, t2
    sub tp, tp, t0
    and tp, tp, t3
    add tp, tp, t0
    mv sp, tp
    mv t3, tp
    add t4, tp, t2
2:  bgeu t3, t4, 3f
    li t5, 0
    bgeu t0, t1, 5f
    lbu t5, 0(t0)
    addi t0, t0, 1
5:  sb t5, 0(t3)
    addi t3, t3, 1
    j 2b
3:  csrw mie, zero
    li t0, 0x6000               # mstatus.FS
    csrs mstatus, t0
    csrw fcsr, zero
    csrr a0, mhartid
    jalr s1
4:  csrw mie, zero
    wfi
    j 4b
    .size __entry, . - __entry
    .balign 8
    .type hart_main, @object
hart_main: .dword tipoff_hart_main
    .size hart_main, . - hart_main
    .type hart_stack, @object
hart_stack: .dword __hart_stack_stride
    .size hart_stack, . - hart_stack
    .type tls_bytes, @object
tls_bytes: .dword __tls_bytes
    .size tls_bytes, . - tls_bytes
    .type tls_alignment, @object
tls_alignment: .dword __tls_alignment
    .size tls_alignment, . - tls_alignment
    .type harts_come, @object
harts_come: .word 0
    .size harts_come, . - harts_come

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
    sd a1, 0(t0)                # its address from the boot ROM
    la t0, trap
    csrw mtvec, t0
    csrw mie, zero
    li t0, 0x6000               # mstatus.FS
    csrs mstatus, t0
    csrw fcsr, zero
    call __libc_init_array
    call host_arguments         # argc at a0; then argv
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
#ifdef __TIPOFF_HARTS
    la t0, trapped              # the stack is for one: harts that trap after it wait for the end
    li t1, 1
    amoadd.w t1, t1, (t0)
    bnez t1, .
#endif
    mv a3, sp
    la sp, __trap_stack_top
    csrr a0, mcause
    csrr a1, mepc
    csrr a2, mtval
    tail host_trap
    .size trap, . - trap
#ifdef __TIPOFF_HARTS
    .section .sbss, "aw", @nobits
    .balign 4
    .type trapped, @object
trapped: .zero 4
    .size trapped, . - trapped
#endif
