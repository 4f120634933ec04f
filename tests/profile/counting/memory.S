# Cache misses and replays. A line that nobody has touched misses every cache, a line that has been loaded hits.
    .include "tests/profile/counting/frame.inc"
    .equ LINES, 24
    .equ FAR, 1024                          # bytes between them: no prefetcher reaches the next one
    select 3, ST_L1
    select 4, ST_LLC
    select 5, FL_MO
    la s1, area

    start_all
    .set i, 0
    .rept LINES
    ld t2, 0(s1)
    addi s1, s1, FAR
    .endr
    fence
    stop_all
    expect_count 3, LINES
    expect_count 4, LINES

    # Again the last one, which is in the cache.
    csrw mhpmcounter3, zero
    csrw mhpmcounter4, zero
    start_all
    .rept 20
    ld t2, -FAR(s1)
    .endr
    fence
    stop_all
    expect_count 3, 0
    expect_count 4, 0
    expect_count 5, 0

    # Loads that run ahead of an older store to their address, which comes from a divide. Each does it once.
    la s1, word
    li s2, 1
    ld t2, 0(s1)
    fence
    csrw mhpmcounter5, zero
    start_all
    .rept 12
    div t3, s1, s2                          # s1
    sd t2, 0(t3)
    ld t2, 0(s1)
    add t2, t2, s2
    .endr
    fence
    stop_all
    expect_count 5, 12
    finish
    .bss
    .balign 64
word: .dword 0
    .balign 4096
area: .space LINES * FAR
