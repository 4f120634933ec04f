# The words through which a program reports its end to its host: (status << 1 | 1) to tohost.
    .section .tohost, "aw", @progbits
    .balign 64
    .globl tohost
    .type tohost, @object
tohost:
    .dword 0
    .size tohost, 8
    .balign 64
    .globl fromhost
    .type fromhost, @object
fromhost:
    .dword 0
    .size fromhost, 8
    .balign 64
