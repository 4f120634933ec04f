# The next-line prefetcher: of two neighbouring lines in a page that are loaded one after the other, with time between, the
# second misses where there is no prefetcher, and only there; a page's last line fetches nothing of the next page.
# exit-by: l1d.prefetch
    .include "tests/profile/counting/frame.inc"
    .equ PAIRS, 8
    select 3, ST_L1
    li s2, PAIRS
    la s1, area
    start_all
next:
    ld t2, 0(s1)
    li t3, 400
1:  addi t3, t3, -1
    bnez t3, 1b
    fence
    ld t2, 64(s1)
    fence
    addi s1, s1, 1024
    addi s2, s2, -1
    bnez s2, next
    stop_all
    csrr s3, mhpmcounter3                   # PAIRS, or twice as many

    csrw mhpmcounter3, zero
    li s2, PAIRS
    la s1, pages
    start_all
2:  li t3, 4096
    add s1, s1, t3
    ld t2, -64(s1)                          # the last of its page
    li t3, 400
1:  addi t3, t3, -1
    bnez t3, 1b
    fence
    ld t2, 0(s1)
    fence
    li t3, 4096
    add s1, s1, t3
    addi s2, s2, -1
    bnez s2, 2b
    stop_all
    expect_count 3, 2 * PAIRS

    li t2, 2 * PAIRS
    sub t2, t2, s3                          # lines that the prefetcher fetched in time
    srli t2, t2, 3                          # of PAIRS = 8: 1 or 0
    finish_with t2
    .bss
    .balign 4096
area: .space PAIRS * 1024
    .balign 4096
pages: .space (2 * PAIRS + 1) * 4096
