# A loop whose BODY, repeated, has one bottleneck; x10 to x17 are free, and `data` is 4 KiB of zeros.
    .globl _start
_start:
    la x18, data
    li x19, 200
    li x20, 1000003
    li x21, 7
    mv x10, x18
1:
    .rept 16
    BODY
    .endr
    addi x19, x19, -1
    bnez x19, 1b
finish:
    li t1, 1
    la t0, tohost
    sd t1, 0(t0)
2:  j 2b

    .section .tohost, "aw", @progbits
    .balign 64
    .globl tohost
tohost: .dword 0
    .globl fromhost
fromhost: .dword 0
    .data
    .balign 4096
data: .fill 512, 8, 0
