# What `tipoff linux` takes for its kernel: no more than the way to a program. Hart 0 passes the markers READY and START
# (scripts/linux/tray.h), then enters user mode with an address space of its own, whose first instruction is an ecall;
# what machine mode does then is the macro AFTER (0: waits forever; else stores that to the test finisher). Other
# harts wait forever, and so does hart 0 where a marker is missing: MARKERS of them there are.
    .text
    .globl _start
    .type _start, @function
_start:
    csrw mie, zero
    bnez a0, wait
    la t0, after
    csrw mtvec, t0
    li t0, -1
    csrw pmpaddr0, t0           # all memory is user mode's, too
    csrwi pmpcfg0, 0x1f
#if MARKERS > 0
    slti x0, x0, 1
#endif
#if MARKERS > 1
    slti x0, x0, 2
    la t0, root
    srli t0, t0, 12
    li t1, 8 << 60              # Sv39
    or t0, t0, t1
    csrw satp, t0
    la t0, user
    csrw mepc, t0
    li t0, 3 << 11
    csrc mstatus, t0
    mret
#endif
wait:
    wfi
    j wait
    .balign 4
after:
    li t0, AFTER
    beqz t0, wait
    li t1, 0x100000
    sw t0, 0(t1)
    j wait
user:
    ecall
    .size _start, . - _start

    .data
    .balign 4096
root:                           # DRAM's first gigabyte, where it is
    .zero 16
    .dword (0x80000000 >> 12) << 10 | 0xdf
    .zero 4096 - 24
    .size root, . - root
    .type root, @object
