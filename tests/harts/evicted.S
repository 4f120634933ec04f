# A line leaves hart 0's cache while a load of it has its value and an older one of the same word waits for its address. Hart 1
# gets it exclusively meanwhile, and stores without a message: then the younger load must be done again.
    .text
    .globl _start
_start:
    csrr s0, mhartid
    la s1, word
    la s2, apart
    li t0, 16384
    mul t0, t0, s0
    add s2, s2, t0          # lines of the word's set, of this hart alone
    li t0, 4096
    add s3, s2, t0
    add s4, s3, t0
    li s5, 3
    li s6, 60
    bnez s0, stores
loads:
    li t0, 0x7fffffffffffffff
    .rept 6
    div t0, t0, s5
    .endr
    andi t0, t0, 0
    add t0, t0, s1
    ld a0, (t0)             # late
    ld a1, (s1)             # early
    ld a2, (s2)
    ld a3, (s3)
    ld a4, (s4)
    bltu a1, a0, wrong      # the younger one is older
    addi s6, s6, -1
    bnez s6, loads
    li a0, 0x5555
1:  li a1, 0x100000
    sw a0, 0(a1)
    j .
wrong:
    li a0, 0x13333
    j 1b
stores:
    ld a2, (s2)
    ld a3, (s3)
    ld a4, (s4)
    add t0, a2, a3
    add t0, t0, a4          # 0, when they have come
    add t0, t0, s1
    addi s7, s7, 13
    andi t1, s7, 127
1:  addi t1, t1, -1
    bgez t1, 1b
    ld t2, (t0)             # alone, if hart 0 has no copy
    addi t2, t2, 1
    sd t2, (t0)
    j stores
    .bss
    .align 12
word: .space 4096
apart: .space 32768
