# A loop whose BODY, REPEAT times, keeps one resource busy: from `body` to `finish`. Before, SETUP and pages: 256 pages of 64 lines, whose
# words point to the next page's (at 0), to the next line's (at 8, the last line's to the first of the next page), and are 0. With
# TRANSLATED it runs in supervisor mode, the pages are at address 0 and following ones, and the 16 pages of code are at 1 GiB.
    .globl _start
_start:
    la x18, pages
    li x19, ROUNDS
    li x20, 1000003
    li x21, 7
    li x23, 1
    li x5, 0x2000
    csrs mstatus, x5
#ifdef TRANSLATED
    li x24, 0
#else
    mv x24, x18
#endif
    mv x5, x18          # where it is
    mv x6, x24          # where it is seen
    li x7, 256 * 64
1:  addi x8, x6, 64
    sd x8, 8(x5)
    li x9, 4096
    add x8, x6, x9
    sd x8, 0(x5)
    addi x5, x5, 64
    addi x6, x6, 64
    addi x7, x7, -1
    bnez x7, 1b
    addi x5, x5, -64    # the last line is followed by the first
    sd x24, 8(x5)
    li x7, 64           # so is the last page
2:  sd x24, 0(x5)
    addi x5, x5, -64
    addi x7, x7, -1
    bnez x7, 2b
#ifdef TRANSLATED
    .macro map table, index, to, bits
    la x5, \table
    la x6, \to
    srli x6, x6, 2
    ori x6, x6, \bits
    sd x6, 8 * \index (x5)
    .endm
    map root, 0, middle, 1
    map root, 1, middle_of_code, 1
    map middle, 0, leaves, 1
    map middle_of_code, 0, leaves_of_code, 1
    la x5, root
    li x6, 0x20000000 + 0xcf
    sd x6, 16(x5)
    .macro fill table, to, count, bits
    la x5, \table
    la x6, \to
    srli x6, x6, 2
    ori x6, x6, \bits
    li x7, \count
3:  sd x6, 0(x5)
    addi x6, x6, 0x400
    addi x5, x5, 8
    addi x7, x7, -1
    bnez x7, 3b
    .endm
    fill leaves, pages, 256, 0xc7
    fill leaves_of_code, code, 16, 0xcb
    li x5, -1
    csrw pmpaddr0, x5
    li x5, 0x1f
    csrw pmpcfg0, x5
    la x5, root
    srli x5, x5, 12
    li x6, 8 << 60
    or x5, x5, x6
    csrw satp, x5
    sfence.vma
    li x5, 0x1800
    csrc mstatus, x5
    li x5, 0x0800
    csrs mstatus, x5
    la x5, body
    csrw mepc, x5
    mv x10, x24
    mv x22, x24
    SETUP
    mret
#else
    mv x10, x24
    mv x22, x24
    SETUP
    j body
#endif
    .balign 4096
    .globl body
body:
    .rept REPEAT
    BODY
    .endr
    addi x19, x19, -1
    beqz x19, 4f
    j body
4:
    .globl finish
finish:
    li t1, 1
    la t0, tohost
    sd t1, 0(t0)
5:  j 5b

    .balign 4096
code:                   # each page leads to the next, the last one back to x1
    .rept 15
    .balign 4096
    j .+4096
    .endr
    .balign 4096
    jr x1

    .section .tohost, "aw", @progbits
    .balign 64
    .globl tohost
tohost: .dword 0
    .globl fromhost
fromhost: .dword 0
    .bss
    .balign 4096
root: .space 4096
middle: .space 4096
leaves: .space 4096
middle_of_code: .space 4096
leaves_of_code: .space 4096
pages: .space 256 * 4096
