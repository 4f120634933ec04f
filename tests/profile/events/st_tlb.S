# Dependent loads from more pages than the data TLB has entries, all of them the same line of memory: in the L1 data cache.
# event: ST_TLB
    .include "tests/profile/events/frame.inc"
    .include "tests/profile/events/paging.inc"
    .equ PAGES, 64              # twice the larger data TLB; the L2 TLB holds them
    la t0, area
    srli t0, t0, 2
    ori t0, t0, PTE_LEAF
    la t1, window
    li t2, PAGES
1:  sd t0, 0(t1)
    addi t1, t1, 8
    addi t2, t2, -1
    bnez t2, 1b
    paging
    translate_loads 1
    li s3, 40
    li s4, 4096
pass:
    li s1, 0
    li s0, PAGES
again:
blame:
    ld t0, 0(s1)                # 0
    add s1, s1, t0
    add s1, s1, s4
    addi s0, s0, -1
    bnez s0, again
    addi s3, s3, -1
    bnez s3, pass
    translate_loads 0
    finish
    .bss
    .balign 4096
area: .space 4096
