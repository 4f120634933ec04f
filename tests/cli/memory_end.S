// Ends with N where memory has 16 MiB << N: looks for its end, then at accesses of every kind on both sides of it, plain
// and by translation, each is done, or is an access fault of its kind. 64 and more: the number of what was not so.
#define MPP_S 0x800
#define MPP_M 0x1800
#define MPRV 0x20000

    .macro next_access            // in the mode that s5 says
    addi s9, s9, 1
    li s6, -1
    li t0, MPP_M | MPRV
    csrc mstatus, t0
    csrs mstatus, s5
    .endm
    .macro done                   // it was
    li t0, -1
    bne s6, t0, fail
    .endm
    .macro faulted cause          // at a0
    li t0, \cause
    bne s6, t0, fail
    bne s7, a0, fail
    .endm

    .section .text.init
    .globl _start
    .type _start, @function
_start:
    la t0, trap
    csrw mtvec, t0
    li t0, -1
    csrw pmpaddr0, t0
    li t0, 0x1f
    csrw pmpcfg0, t0
    li s9, 63
    li s5, 0
    li s0, 0                      // N
    li s1, 1 << 24
1:  li a0, 0x80000000
    add a0, a0, s1
    li s6, -1
    ld t1, 0(a0)
    li t0, -1
    bne s6, t0, found
    slli s1, s1, 1
    addi s0, s0, 1
    li t0, 8
    bltu s0, t0, 1b
    j fail
found:
    la t0, root                   // the first five GiB, each as it is: valid, readable, writable, executable, accessed, dirty
    li t1, 0xcf
    li t2, 5
2:  sd t1, 0(t0)
    li t3, 1 << 28
    add t1, t1, t3
    addi t0, t0, 8
    addi t2, t2, -1
    bnez t2, 2b
    la t0, root
    srli t0, t0, 12
    li t1, 8 << 60
    or t0, t0, t1
    csrw satp, t0
    sfence.vma

    li s4, 2                      // ways: plain, then as S-mode does
each_way:
    li a0, 0x80000000
    add a0, a0, s1
    next_access
    ld t1, -8(a0)
    done
    next_access
    sd s1, -8(a0)
    done
    next_access
    addi a1, a0, -8
    amoadd.d t1, s1, (a1)
    done
    bne t1, s1, fail
    next_access
    lr.d t1, (a1)
    done
    add t2, s1, s1
    bne t1, t2, fail
    next_access
    lw t1, -4(a0)
    done
    next_access
    ld t1, 0(a0)
    faulted 5
    next_access
    lbu t1, 0(a0)
    faulted 5
    next_access
    sd s1, 0(a0)
    faulted 7
    next_access
    sb s1, 0(a0)
    faulted 7
    next_access
    amoadd.d t1, s1, (a0)
    faulted 7
    next_access
    lr.d t1, (a0)
    faulted 5
    la s8, 3f                     // where to go on after a fault of a fetch
    next_access
    beqz s5, 4f
    csrw mepc, a0
    mret                          // to S-mode
4:  jr a0
3:  faulted 1
    li s5, MPP_S | MPRV
    addi s4, s4, -1
    bnez s4, each_way
    mv a1, s0
    j end
fail:
    mv a1, s9
end:
    csrw satp, zero
    slli a1, a1, 1
    ori a1, a1, 1
    la a2, tohost
    li t0, MPP_M | MPRV
    csrc mstatus, t0
    sd a1, 0(a2)
5:  j 5b
    .size _start, . - _start

    .balign 4
trap:
    csrr s6, mcause
    csrr s7, mtval
    csrr t0, mepc
    addi t0, t0, 4
    li t1, 1
    bne s6, t1, 6f
    mv t0, s8
6:  csrw mepc, t0
    li t1, MPP_M
    csrs mstatus, t1
    mret

    .bss
    .balign 4096
root: .skip 4096

    .section .tohost, "aw", @progbits
    .balign 64
    .globl tohost
tohost: .dword 0
    .size tohost, 8

#ifdef FAR                        // something that lies where a test wants it
    .section .far, "aw", @nobits
    .skip 8
#endif
