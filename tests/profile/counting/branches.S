# Branches and mispredictions. Never mispredicted: direct jumps, and returns to where the last call was. Always
# mispredicted: an indirect jump that is met for the first time, for nothing knows its target.
    .include "tests/profile/counting/frame.inc"
    select 3, BRANCHES
    select 4, FL_MB
    select 5, INSTRUCTIONS

    start_all
    .rept 40
    j 1f
    nop
1:
    .endr
    stop_all
    expect_count 3, 40
    expect_count 4, 0
    expect_count 5, 41

    csrw mhpmcounter3, zero
    csrw mhpmcounter4, zero
    start_all
    .rept 25
    call leaf
    .endr
    stop_all
    expect_count 3, 50
    expect_count 4, 0

    csrw mhpmcounter3, zero
    csrw mhpmcounter4, zero
    start_all
    .rept 30
    la t2, 1f
    jr t2
    .rept 5
    nop
    .endr
1:
    .endr
    stop_all
    expect_count 3, 30
    expect_count 4, 30

    # 16-bit forms.
    csrw mhpmcounter3, zero
    csrw mhpmcounter4, zero
    li a0, 0
    start_all
    .option push
    .option rvc
    .rept 7
    c.j 1f
    c.nop
1:
    .endr
    .rept 8
    la t2, 1f
    c.jr t2
    c.nop
    c.nop
1:
    .endr
    .rept 4
    c.mv a1, a2
    c.add a1, a2
    c.addi a1, 1
    .endr
    .balign 4
    .option pop
    stop_all
    expect_count 3, 15
    expect_count 4, 8
    finish
leaf:
    ret
