# A load that has set its page's accessed bit goes on running ahead of older stores, as if the bit had been set before:
# it began again, but it has not broken memory ordering. Where software sets the bit, it takes an exception instead.
    .include "tests/profile/counting/frame.inc"
    .include "tests/profile/events/paging.inc"
    .equ PTE_A, 0x40
    la t0, fault
    csrw mtvec, t0
    paging
    la s1, word
    la s2, window
    srli t2, s1, 2
    ori t2, t2, PTE_LEAF
    sd t2, 0(s2)                        # page 0: the word
    xori t2, t2, PTE_A
    sd t2, 8(s2)                        # page 1: the same, never accessed
    sfence.vma
    li s3, 1
    translate_loads 1

    li a0, 0
    call measure                        # misses
    call measure
    mv s4, a1
    li a0, 4096
    call measure                        # the bit is set
    call measure
    translate_loads 0
    ld t2, 8(s2)
    andi t2, t2, PTE_A
    expect t2, PTE_A
    csrw mcountinhibit, s10
    srli t2, s4, 4
    add t2, t2, s4
    sltu t2, t2, a1                     # a sixteenth more
    expect t2, 0
    finish

# Cycles (a1) of 32 loads of the word at a0, each ready long before the address of the store ahead of it.
measure:
    csrw mcountinhibit, zero
    li t3, 32
    mv t4, a0
    csrr a1, mcycle
1:  mul t5, t4, s3
    mul t5, t5, s3
    mul t5, t5, s3
    mul t5, t5, s3
    sub t5, t5, t4
    add t5, t5, s1
    sd zero, 8(t5)                      # the dword after the word, by another page
    ld t6, 0(t4)
    mul t6, t6, s3
    mul t6, t6, s3
    mul t6, t6, s3
    mul t6, t6, s3
    add t4, a0, t6
    addi t3, t3, -1
    bnez t3, 1b
    csrr t6, mcycle
    sub a1, t6, a1
    ret

    .balign 4
fault:                                  # a page fault by the load: software sets the bit
    ld t5, 8(s2)
    ori t5, t5, PTE_A
    sd t5, 8(s2)
    sfence.vma
    translate_loads 1
    csrr t5, mepc
    jr t5

    .data
    .balign 4096
word: .dword 0, 0
