# Loads that run ahead of an older store to the same address, which is known late (it comes from three multiplications). Once is all
# that a load does it: then it waits for older stores. So there are many of them, one after the other: a store's address
# comes from what the load before it has loaded, so that no store is known before its load has run ahead.
# event: FL_MO
# count: FL_MO 48
    .include "tests/profile/events/frame.inc"
    la s1, word
    li s2, 1
    ld t1, 0(s1)
    .altmacro
    .macro collide n
    sub t2, t1, t1
    add t2, t2, s2              # 1
    mul t0, s1, t2              # s1, nine cycles later
    mul t0, t0, t2
    mul t0, t0, t2
    sd t1, 0(t0)
blame\n:
    ld t1, 0(s1)
    add t1, t1, s2
    .endm
    .set i, 0
    .rept 48
    collide %i
    .set i, i + 1
    .endr
    finish
    .bss
    .balign 64
word: .dword 0
