# A counter that overflows inside the handler of another one's interrupt is not forgotten: the handler clears LCOFIP first,
# then reads scountovf and sets counters off again. The second counter overflows at every place of the handler in turn.
# (Cleared last, an overflow between the read and the clearing leaves OF set and nothing pending: it never interrupts again.)
    .include "tests/profile/counting/frame.inc"
    .equ LCOFI, 1 << 13
    .equ PLACES, 32                         # M-mode instructions until the second overflows: before, in and after the handler
    .equ FAR, 1 << 40
    la t0, handler
    csrw mtvec, t0
    li s5, LCOFI
    csrw mie, s5
    li s11, 0                               # overflows of the second counter that were served
    li s9, 0                                # of the first
    li s7, 1
1:  csrw mip, zero
    li t0, INSTRUCTIONS + MINH              # user mode only
    csrw mhpmevent4, t0
    li t0, -20
    csrw mhpmcounter4, t0
    li t0, INSTRUCTIONS + UINH + SINH       # M-mode only
    csrw mhpmevent5, t0
    neg t0, s7
    csrw mhpmcounter5, t0
    la t0, code
    csrw mepc, t0
    li t0, 0x1800
    csrc mstatus, t0
    start_all
    mret
passed:
    stop_all
    # Nothing overflowed that is neither served nor pending.
    csrr s1, SCOUNTOVF
    csrr s2, mip
    and s2, s2, s5
    .set checks, checks + 1
    li s0, checks
    beqz s1, 2f
    beqz s2, fail
2:  addi s7, s7, 1
    li t0, PLACES
    bleu s7, t0, 1b
    .set checks, checks + 1
    li s0, checks
    li t0, PLACES
    bne s9, t0, fail
    .set checks, checks + 1
    li s0, checks
    li t0, PLACES / 2
    bltu s11, t0, fail
    finish

    .balign 4
handler:
    csrr s1, mcause
    bgez s1, passed                         # the ecall at the end of the code
    csrc mip, s5
    csrr s1, SCOUNTOVF
    andi s2, s1, 1 << 4
    beqz s2, 1f
    addi s9, s9, 1
    li t0, -FAR
    csrw mhpmcounter4, t0
    li t0, INSTRUCTIONS + MINH
    csrw mhpmevent4, t0
1:  andi s2, s1, 1 << 5
    beqz s2, 2f
    addi s11, s11, 1
    li t0, -FAR
    csrw mhpmcounter5, t0
    li t0, INSTRUCTIONS + UINH + SINH
    csrw mhpmevent5, t0
2:  mret

    .balign 64
code:
    .rept 200
    nop
    .endr
    ecall
