# Misses of the instruction cache: lines that nobody has executed, far from each other, with one instruction each. And
# instructions that flush.
    .include "tests/profile/counting/frame.inc"
    .equ BLOCKS, 20
    select 3, DR_L1
    select 4, FLUSHES
    li t2, 0
    j warm
    .balign 64
warm:
    start_all
    j block_0
    .balign 64
back:
    csrr s2, mhpmcounter3                   # this line may have missed, too: counted after it is read
    stop_all
    expect s2, BLOCKS

    csrw mhpmcounter4, zero
    start_all
    .rept 7
    fence.i
    .endr
    .rept 5
    csrw mie, zero                          # flush: yes in tables/csrs.tsv
    .endr
    .rept 6
    csrw mscratch, zero                     # flush: no
    .endr
    stop_all
    expect_count 4, 12
    finish

    .altmacro
    .macro block n, next
    .balign 512
block_\n:
    j block_\next
    .endm
    .set i, 0
    .rept BLOCKS - 1
    block %i, %(i + 1)
    .set i, i + 1
    .endr
    .balign 512
block_19:
    j back
