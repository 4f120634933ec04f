// A page is mapped elsewhere, by another root in satp (SATP) or by a store to its entry (ENTRY), and read again with
// sfence.vma in between (FENCE) or without. Exit code 0: what was read is one of the two words.
    .section .text.init
    .globl _start
_start:
    la t0, failed
    csrw mtvec, t0
    li t0, -1
    csrw pmpaddr0, t0
    li t0, 0x1f
    csrw pmpcfg0, t0

    la s0, root_a
    la s1, root_b
    la t1, table_a
    la t3, table_b
    li t0, (0x80000000 >> 2) | 0xcf // the gigapage that all of this runs in
    sd t0, 16(s0)
    sd t0, 16(s1)
    srli t2, t1, 2
    ori t2, t2, 1
    sd t2, 0(s0)
    srli t2, t3, 2
    ori t2, t2, 1
    sd t2, 0(s1)
    li t0, (0x80000000 >> 2) | 0xc7 // the megapage at virtual address 0: here ...
    sd t0, 0(t1)
    li t5, (0x80200000 >> 2) | 0xc7 // ... or there
    sd t5, 0(t3)
    la t4, here
    li t6, 0x1ff000
    and s6, t4, t6
    li t0, 0x111
    sd t0, 0(t4)
    li t0, 0x80200000
    add t0, t0, s6
    li t6, 0x222
    sd t6, 0(t0)

    li t2, 8 << 60
    srli s2, s0, 12
    or s2, s2, t2
    srli s3, s1, 12
    or s3, s3, t2
    csrw satp, s2
    sfence.vma
    li t0, 3 << 11
    csrc mstatus, t0
    li t0, 1 << 11
    csrs mstatus, t0
    la t0, supervisor
    csrw mepc, t0
    mret

supervisor:
    ld s4, 0(s6)
#ifdef SATP
    csrw satp, s3
#else
    sd t5, 0(t1)
    fence
    ld s7, 0(t4) // takes the place of that page in the TLB of the ISS, which has one place for both
#endif
#ifdef FENCE
    sfence.vma
#endif
    ld s5, 0(s6)
    li a0, 0
    li t0, 0x111
    beq s5, t0, finish
    li t0, 0x222
    beq s5, t0, finish
    .balign 4
failed:
    li a0, 1
finish:
    slli a0, a0, 1
    ori a0, a0, 1
    la t0, tohost
1:  sd a0, 0(t0)
    j 1b

    .data
    .balign 4096
here:    .zero 4096
root_a:  .zero 4096
root_b:  .zero 4096
table_a: .zero 4096
table_b: .zero 4096
    .globl tohost
    .balign 8
tohost:  .dword 0
    .dword 0
