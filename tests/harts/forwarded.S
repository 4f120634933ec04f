# Hart 0 stores to a word; a younger load has its value from that store, while an older load of the word waits for its address.
# The store leaves, and hart 1 stores to the word: then the younger load must be done again.
    .text
    .globl _start
_start:
    csrr s0, mhartid
    la s1, word
    li s5, 3
    li s6, 80
    li s7, 0x40000000
    bnez s0, stores
loads:
    sd s6, (s1)
    li t0, 0x7fffffffffffffff
    .rept 4
    div t0, t0, s5
    .endr
    andi t0, t0, 0
    add t0, t0, s1
    ld a0, (t0)             # late
    ld a1, (s1)             # early
    beq a0, s6, 2f
    beq a1, s6, wrong       # the younger one is older
2:  addi s6, s6, -1
    bnez s6, loads
    li a0, 0x5555
1:  li a1, 0x100000
    sw a0, 0(a1)
    j .
wrong:
    li a0, 0x13333
    j 1b
stores:
    sd s7, (s1)
    addi s7, s7, 1
    andi t1, s7, 31
3:  addi t1, t1, -1
    bgez t1, 3b
    j stores
    .bss
    .align 12
word: .space 64
