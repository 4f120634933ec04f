# A timer interrupt is taken on a load that has waited for its translation and now waits for memory: it shows both, though it
# has not completed.
# event: FL_EX+ST_L1+ST_TLB
# count: FL_EX 100
    .include "tests/profile/events/frame.inc"
    .include "tests/profile/events/paging.inc"
    .equ PAGES, 100                      # a load each
    .equ PTE_USER, 0x10                  # where the handler returns to, MPRV means U-mode
    .equ MSIP, 0x2000000
    .equ MTIMECMP, 0x2004000
    la t1, window
    .macro map address
    srli t3, \address, 2
    ori t3, t3, PTE_LEAF | PTE_USER
    sd t3, 0(t1)
    addi t1, t1, 8
    .endm
    li t0, MSIP
    map t0
    li t0, MTIMECMP
    map t0
    la t0, area
    li t2, PAGES
    li t4, 4096
1:  map t0
    add t0, t0, t4
    addi t2, t2, -1
    bnez t2, 1b
    paging
    la t0, handler
    csrw mtvec, t0
    li t0, 1 << 7
    csrw mie, t0
    li s2, MTIMECMP                      # the handler's loads and stores are not translated
    li s1, 0                             # page of MSIP
    slli s3, t4, 1                       # first page of the area
    add s4, s1, t4                       # page of MTIMECMP
    li s0, PAGES
    li t0, MSTATUS_MPP
    csrc mstatus, t0
    li t0, MSTATUS_MPRV
    csrs mstatus, t0
    mv t0, s3                            # every translation into the second TLB: walks are short then
    li t2, PAGES
1:  lb t1, 2047(t0)
    add t0, t0, t4
    addi t2, t2, -1
    bnez t2, 1b
    csrsi mstatus, 8
again:
    .rept 6
    sw zero, 0(s1)                       # devices take one store at a time: these put the timer's off, and change nothing
    .endr
    sd zero, 0(s4)                       # the timer interrupt
blame:
    ld t0, 0(s3)                         # 0
    add s3, s3, t0                       # nobody runs ahead to the next page
    add s3, s3, t4
    addi s0, s0, -1
    bnez s0, again
    translate_loads 0
    finish

    .balign 4
handler:
    li t1, -1
    sd t1, 0(s2)
1:  csrr t1, mip
    andi t1, t1, 1 << 7
    bnez t1, 1b
    li t1, 80                            # until the line is present
1:  addi t1, t1, -1
    bnez t1, 1b
    mret

    .bss
    .balign 4096
area: .space PAGES * 4096
