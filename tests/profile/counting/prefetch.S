# Prefetches fetch: lines asked for in time are in the cache when they are loaded, whichever of the three asks; and what
# may not be accessed is left alone.
    .include "tests/profile/counting/frame.inc"
    .equ LINES, 8                           # as many as every configuration has MSHRs for, a few at a time
    .equ FAR, 1024                          # bytes between them: no prefetcher reaches the next one
    .equ PREFETCH_I, 0
    .equ PREFETCH_R, 1
    .equ PREFETCH_W, 3
    select 3, ST_L1
    select 4, EXCEPTIONS

    .macro wait
    li t2, 400
1:  addi t2, t2, -1
    bnez t2, 1b
    fence
    .endm
    .macro prefetch kind                    # of the lines from s1 on
    .set i, 0
    .rept LINES
    .insn i 0x13, 6, x0, s1, \kind         # ori x0, s1, kind
    addi s1, s1, FAR
    .set i, i + 1
    .if i % 2 == 0
    wait
    .endif
    .endr
    .endm
    .macro load                             # the lines before s1, from the last one back
    .rept LINES
    addi s1, s1, -FAR
    ld t2, 0(s1)
    .endr
    fence
    .endm

    start_all
    la s1, for_r
    prefetch PREFETCH_R
    load
    la s1, for_w
    prefetch PREFETCH_W
    load
    la s1, for_i
    prefetch PREFETCH_I
    load
    # Not memory, not mapped, not aligned to anything.
    li s1, 0x10000000
    .insn i 0x13, 6, x0, s1, PREFETCH_R
    li s1, 0x20000
    .insn i 0x13, 6, x0, s1, PREFETCH_W
    li s1, -9
    .insn i 0x13, 6, x0, s1, PREFETCH_I
    wait
    stop_all
    expect_count 3, 0
    expect_count 4, 0

    # The same loads without.
    la s1, for_none + LINES * FAR
    csrw mhpmcounter3, zero
    start_all
    load
    stop_all
    expect_count 3, LINES
    finish
    .bss
    .balign 4096
for_r: .space LINES * FAR
for_w: .space LINES * FAR
for_i: .space LINES * FAR
for_none: .space LINES * FAR
