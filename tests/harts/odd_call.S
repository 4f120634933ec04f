# Hart 1 makes a system call that the host does not know; hart 0 waits.
    .option norelax
    .globl _start
_start:
    csrr t0, mhartid
    beqz t0, .
    la t1, words
    la t2, tohost
    sd t1, 0(t2)
    j .
    .data
    .balign 64
tohost: .dword 0
    .globl tohost
fromhost: .dword 0
    .globl fromhost
words: .dword 99, 0, 0, 0, 0, 0, 0, 0
