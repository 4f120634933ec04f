# Dependent loads, each from a page of its own and from one set of the L1 data cache: they miss the TLB and the cache, not the LLC.
# event: ST_TLB+ST_L1
    .include "tests/profile/events/frame.inc"
    .include "tests/profile/events/paging.inc"
    .equ PAGES, 64              # twice the larger data TLB; eight times the ways of the larger cache
    la t0, area
    la t1, window
    li t2, PAGES
    li t4, 4096
1:  srli t3, t0, 2
    ori t3, t3, PTE_LEAF
    sd t3, 0(t1)
    sd zero, 0(t0)              # into the LLC
    addi t1, t1, 8
    add t0, t0, t4
    addi t2, t2, -1
    bnez t2, 1b
    paging
    translate_loads 1
    li s3, 30
pass:
    li s1, 0
    li s0, PAGES
again:
blame:
    ld t0, 0(s1)                # 0
    add s1, s1, t0
    add s1, s1, t4
    addi s0, s0, -1
    bnez s0, again
    addi s3, s3, -1
    bnez s3, pass
    translate_loads 0
    finish
    .bss
    .balign 4096
area: .space PAGES * 4096
